import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ANIMATED_WEBP,
  JPEG,
  jpegSegment,
  LOSSLESS_WEBP,
  PNG,
  pngChunk,
  PROGRESSIVE_JPEG,
  riffChunk,
  WEBP,
} from '../../kit/samples/pictures.js';
import { stripPicture } from '../../../src/modules/auth/pictures/strip-picture.js';
import { UnreadablePicture } from '../../../src/modules/auth/auth.errors.js';

const SECRET = Buffer.from('GPS 52.5 N 13.4 E SECRETHOME');
const all = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const after = (source: Buffer, at: number, ...parts: Buffer[]): Buffer =>
  all(source.subarray(0, at), ...parts, source.subarray(at));
const exif = all('Exif\0\0', 'II*\0', SECRET);
const anyOf = (places: number[], pick: number): number => places[pick % places.length]!;

const JPEG_PLACES: [string, Buffer][] = [
  ['APP1 EXIF', after(JPEG, 2, jpegSegment(0xe1, exif))],
  ['APP1 XMP', after(JPEG, 2, jpegSegment(0xe1, all('http://ns.adobe.com/xap/1.0/\0', SECRET)))],
  ['APP2 colour profile', after(JPEG, 2, jpegSegment(0xe2, all('ICC_PROFILE\0', '\x01\x01', SECRET)))],
  [
    'APP2 MPF and its picture',
    all(after(JPEG, 2, jpegSegment(0xe2, all('MPF\0', SECRET))), after(JPEG, 2, jpegSegment(0xe1, exif))),
  ],
  ['APP13 IPTC', after(JPEG, 2, jpegSegment(0xed, all('Photoshop 3.0\0', SECRET)))],
  ['APP15', after(JPEG, 2, jpegSegment(0xef, SECRET))],
  ['COM', after(JPEG, 2, jpegSegment(0xfe, SECRET))],
  ['COM before the end', after(JPEG, JPEG.length - 2, jpegSegment(0xfe, SECRET))],
  ['thumbnail', after(JPEG, 2, jpegSegment(0xe0, all('JFXX\0\x10', SECRET)))],
  [
    'thumbnail in JFIF',
    all(JPEG.subarray(0, 2), jpegSegment(0xe0, all('JFIF\0\x01\x02\0\0\x01\0\x01\x03\x03', SECRET)), JPEG.subarray(20)),
  ],
  ['after the end', all(JPEG, SECRET)],
  ['between segments', after(JPEG, jpegPlaces(JPEG).at(2)!, SECRET)],
  ['an unknown Adobe segment', after(JPEG, 2, jpegSegment(0xee, SECRET))],
];
const PNG_PLACES: [string, Buffer][] = [
  ...[
    'tEXt',
    'zTXt',
    'iTXt',
    'eXIf',
    'tIME',
    'iCCP',
    'pHYs',
    'sPLT',
    'hIST',
    'bKGD',
    'sBIT',
    'acTL',
    'fdAT',
    'prVt',
    'gAMA',
    'caBX',
  ].map((type): [string, Buffer] => [type, after(PNG, 33, pngChunk(type, SECRET))]),
  ['after the pixels', after(PNG, PNG.length - 12, pngChunk('tEXt', SECRET))],
  ['after the end', all(PNG, SECRET)],
  ['in IEND', all(PNG.subarray(0, -12), pngChunk('IEND', SECRET))],
  ['behind the compressed pixels', after(PNG, PNG.length - 12, pngChunk('IDAT', SECRET))],
];
const WEBP_PLACES: [string, Buffer][] = [
  ...['EXIF', 'XMP ', 'ICCP', 'prVt'].map((type): [string, Buffer] => [
    type,
    inRiff(WEBP, WEBP.length - 12, riffChunk(type, SECRET)),
  ]),
  ['before the pixels', inRiff(WEBP, 0, riffChunk('EXIF', SECRET))],
  ['after the end', all(WEBP, SECRET)],
  ['behind the canvas', longerCanvas(WEBP)],
  ['padding', inRiff(WEBP, WEBP.length - 12, riffChunk('XMP ', Buffer.from('x'), 83))],
];

describe.each([
  ['image/jpeg', JPEG, JPEG_PLACES],
  ['image/png', PNG, PNG_PLACES],
  ['image/webp', WEBP, WEBP_PLACES],
] as const)('%s', (type, clean, places) => {
  it.each([...places])('metadata in %s is removed, and the image data is unchanged', async (_place, source) => {
    const stripped = await stripPicture(type, source);
    expect(stripped.includes('SECRETHOME')).toBe(false);
    expect(withoutChecksums(type, stripped)).toEqual(withoutChecksums(type, await stripPicture(type, clean)));
  });
});

describe('a picture without metadata', () => {
  it('is unchanged by another stripping, in every format', async () => {
    for (const [type, source] of [
      ['image/jpeg', JPEG],
      ['image/jpeg', PROGRESSIVE_JPEG],
      ['image/png', PNG],
      ['image/webp', WEBP],
      ['image/webp', LOSSLESS_WEBP],
      ['image/webp', ANIMATED_WEBP],
    ] as const) {
      const once = await stripPicture(type, source);
      expect(await stripPicture(type, once)).toEqual(once);
      expect(once.length).toBeLessThanOrEqual(source.length);
      expect(once.length).toBeGreaterThan(source.length / 2);
    }
  });

  it('comes out the same wherever metadata stands, however much there is and of whatever type', async () => {
    const text = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => all(SECRET, Buffer.from(bytes.map((byte) => (byte === 0xff ? 0 : byte)))));
    const parts = fc.array(fc.record({ text, place: fc.nat(), kind: fc.nat() }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, async (hidden) => {
        let [jpeg, png, webp]: [Buffer, Buffer, Buffer] = [JPEG, PNG, WEBP];
        for (const { text: secret, place, kind } of hidden) {
          jpeg = after(
            jpeg,
            anyOf(jpegPlaces(jpeg), place),
            jpegSegment([0xe1, 0xe2, 0xe5, 0xed, 0xef, 0xfe, 0xf0][kind % 7]!, secret),
          );
          png = after(
            png,
            anyOf(pngPlaces(png), place),
            pngChunk(['tEXt', 'eXIf', 'zzZz', 'iCCP', 'tIME'][kind % 5]!, secret),
          );
          webp = inRiff(
            webp,
            anyOf(riffPlaces(webp), place) - 12,
            riffChunk(['EXIF', 'XMP ', 'ICCP', 'none'][kind % 4]!, secret),
          );
        }
        expect(await stripPicture('image/jpeg', jpeg)).toEqual(await stripPicture('image/jpeg', JPEG));
        expect(await stripPicture('image/png', png)).toEqual(await stripPicture('image/png', PNG));
        expect(await stripPicture('image/webp', webp)).toEqual(await stripPicture('image/webp', WEBP));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a damaged picture', () => {
  it('is refused or stripped, never an internal error; stripping it again changes nothing more', async () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.nat(), fc.boolean(), async (changes, cut, isCut) => {
        for (const [type, source] of [
          ['image/jpeg', JPEG],
          ['image/jpeg', PROGRESSIVE_JPEG],
          ['image/png', PNG],
          ['image/webp', WEBP],
          ['image/webp', ANIMATED_WEBP],
        ] as const) {
          const bytes = Buffer.from(isCut ? source.subarray(0, cut % source.length) : source);
          for (const { at, byte } of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
          const once = await stripPicture(type, bytes).catch((error: unknown) => error);
          if (once instanceof Buffer) expect(await stripPicture(type, once)).toEqual(once);
          else expect(once).toBeInstanceOf(UnreadablePicture);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('that inflates far beyond its declared pixels is refused', async () => {
    const { deflateSync } = await import('node:zlib');
    const bomb = all(
      PNG.subarray(0, 33),
      pngChunk('IDAT', deflateSync(Buffer.alloc(50_000_000))),
      pngChunk('IEND', Buffer.alloc(0)),
    );
    await expect(stripPicture('image/png', bomb)).rejects.toBeInstanceOf(UnreadablePicture);
  });
});

function inRiff(source: Buffer, offset: number, part: Buffer): Buffer {
  const body = after(source.subarray(12), offset, part);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return all('RIFF', size, 'WEBP', body);
}

/** Makes the canvas chunk longer than its ten bytes. */
function longerCanvas(source: Buffer): Buffer {
  const body = all(riffChunk('VP8X', all(source.subarray(20, 30), SECRET)), source.subarray(30));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return all('RIFF', size, 'WEBP', body);
}

/** Offsets of a picture's segments or chunks. */
function jpegPlaces(source: Buffer): number[] {
  const places: number[] = [];
  for (let at = 2; source[at + 1] !== 0xda; at += 2 + source.readUInt16BE(at + 2)) places.push(at);
  return places;
}

function pngPlaces(source: Buffer): number[] {
  const places: number[] = [];
  for (let at = 33; at < source.length; at += 12 + source.readUInt32BE(at)) places.push(at);
  return places;
}

function riffPlaces(source: Buffer): number[] {
  const places: number[] = [];
  for (let at = 12; at < source.length; at += 8 + source.readUInt32LE(at + 4) + (source.readUInt32LE(at + 4) % 2))
    places.push(at);
  return places;
}

/** Removes checksums: rewritten chunks have a valid one, the test's own chunks have none. */
function withoutChecksums(type: string, source: Buffer): Buffer {
  if (type !== 'image/png') return source;
  const bytes = Buffer.from(source);
  for (const place of [8, ...pngPlaces(source)])
    bytes.fill(0, place + 8 + bytes.readUInt32BE(place), place + 12 + bytes.readUInt32BE(place));
  return bytes;
}
