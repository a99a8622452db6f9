import { UnreadablePicture } from '../auth.errors.js';

const ANIMATION = 0x02;
const ALPHA = 0x10;
const FRAME_HEAD = 16;
const FRAME_PARTS = new Set(['ALPH', 'VP8 ', 'VP8L']);

interface Part {
  type: string;
  data: Buffer;
}

/**
 * Copies the parts of a WebP that a decoder needs: canvas, bit streams, transparency and frames. Drops everything else:
 * EXIF, XMP, colour profiles, unknown chunks, padding, bytes after the image.
 * @throws UnreadablePicture
 */
export function stripWebp(source: Buffer): Buffer {
  if (source.toString('latin1', 0, 4) !== 'RIFF' || source.toString('latin1', 8, 12) !== 'WEBP')
    throw new UnreadablePicture('no WebP');
  const size = source.readUInt32LE(4);
  if (size < 4 || size + 8 > source.length) throw new UnreadablePicture('the picture is cut short');
  const parts = partsOf(source.subarray(12, size + 8)).flatMap(cleaned);
  if (!parts.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF'))
    throw new UnreadablePicture('no pixels');
  return written('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts.map(({ type, data }) => written(type, data))]));
}

function cleaned({ type, data }: Part): Part[] {
  if (FRAME_PARTS.has(type)) return [{ type, data }];
  if (type === 'VP8X' && data.length >= 10)
    return [{ type, data: Buffer.from([data[0]! & (ANIMATION | ALPHA), 0, 0, 0, ...data.subarray(4, 10)]) }];
  if (type === 'ANIM' && data.length >= 6) return [{ type, data: data.subarray(0, 6) }];
  if (type === 'ANMF' && data.length > FRAME_HEAD) {
    const inner = partsOf(data.subarray(FRAME_HEAD)).filter((part) => FRAME_PARTS.has(part.type));
    if (inner.length > 0)
      return [
        {
          type,
          data: Buffer.concat([data.subarray(0, FRAME_HEAD), ...inner.map((part) => written(part.type, part.data))]),
        },
      ];
  }
  return [];
}

/** Splits bytes into consecutive chunks, each padded to an even length. */
function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) throw new UnreadablePicture('a chunk is cut short');
    parts.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return parts;
}

function written(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
