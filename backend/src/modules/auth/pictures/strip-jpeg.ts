import { UnreadablePicture } from '../auth.errors.js';

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
/** JFIF segment: version 1.01, square pixels, no thumbnail. */
const JFIF = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);

const M = { dht: 0xc4, sos: 0xda, dqt: 0xdb, dri: 0xdd, app0: 0xe0, app14: 0xee, eoi: 0xd9 } as const;
/** Markers of the frame types that browsers show: baseline, extended and progressive. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/**
 * Copies the parts of a JPEG that a decoder needs: frame, tables, scans, and normalised JFIF and Adobe segments. Drops
 * everything else: EXIF, XMP, IPTC, colour profiles, comments, thumbnails, further pictures (MPF), and any bytes
 * between segments, after the last table of a segment, and after the image.
 * @throws UnreadablePicture
 */
export function stripJpeg(source: Buffer): Buffer {
  if (!source.subarray(0, 2).equals(SOI)) throw new UnreadablePicture('no JPEG');
  const kept: Buffer[] = [SOI];
  let hasJfif = false;
  for (let at = 2; ;) {
    at = nextMarker(source, at);
    const marker = source[at + 1]!;
    if (marker === M.eoi) return Buffer.concat([...kept, EOI]);
    const body = bodyAt(source, at);
    at += 4 + body.length;
    if (marker === M.app0 && body.subarray(0, 5).toString('latin1') === 'JFIF\0' && !hasJfif) {
      hasJfif = true;
      kept.push(JFIF);
    }
    const copied = copyOf(marker, body);
    if (copied) kept.push(segment(marker, copied));
    if (marker === M.sos) {
      const end = scanEnd(source, at);
      kept.push(source.subarray(at, end));
      at = end;
    }
  }
}

/**
 * Selects the part of a segment to keep.
 * @returns undefined if nothing of the segment is kept
 */
function copyOf(marker: number, body: Buffer): Buffer | undefined {
  if (FRAMES.has(marker)) return exactly(body, 6 + 3 * (body[5] ?? 0));
  if (marker === M.sos) return exactly(body, 4 + 2 * (body[0] ?? 0));
  if (marker === M.dri) return exactly(body, 2);
  if (marker === M.dqt)
    return exactly(
      body,
      tablesEnd(body, (at) => 1 + (body[at]! >> 4 ? 128 : 64)),
    );
  if (marker === M.dht)
    return exactly(
      body,
      tablesEnd(body, (at) => 17 + body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)),
    );
  // Needed for correct colours: tells whether the values are RGB, YCC or inverted CMYK.
  if (marker === M.app14 && body.subarray(0, 5).toString('latin1') === 'Adobe' && body.length >= 12)
    return Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, body[11]!]);
  if (marker >= 0xc0 && marker <= 0xcf) throw new UnreadablePicture('a kind of JPEG that browsers do not show');
  return undefined;
}

/** Index after the last complete table in a segment. */
function tablesEnd(body: Buffer, lengthAt: (at: number) => number): number {
  let end = 0;
  while (end < body.length && end + lengthAt(end) <= body.length) end += lengthAt(end);
  return end;
}

function exactly(body: Buffer, length: number): Buffer {
  if (length === 0 || body.length < length) throw new UnreadablePicture('a segment is cut short');
  return body.subarray(0, length);
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

function bodyAt(source: Buffer, at: number): Buffer {
  const length = at + 4 <= source.length ? source.readUInt16BE(at + 2) : 0;
  if (length < 2 || at + 2 + length > source.length) throw new UnreadablePicture('a segment is cut short');
  return source.subarray(at + 4, at + 2 + length);
}

/** Index of the next marker. Bytes before it are not part of the image. */
function nextMarker(source: Buffer, from: number): number {
  for (let at = from; at + 1 < source.length; at += 1) {
    const code = source[at + 1]!;
    if (source[at] === 0xff && code !== 0xff && code !== 0 && !isRestart(code) && code !== 0x01) return at;
  }
  throw new UnreadablePicture('the picture has no end');
}

/** Index after a scan's coded data, at the next marker that is not part of the data. */
function scanEnd(source: Buffer, from: number): number {
  for (let at = from; at + 1 < source.length; at += 1) {
    if (source[at] !== 0xff) continue;
    const code = source[at + 1]!;
    if (code !== 0 && code !== 0xff && !isRestart(code)) return at;
  }
  throw new UnreadablePicture('the picture has no end');
}

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;
