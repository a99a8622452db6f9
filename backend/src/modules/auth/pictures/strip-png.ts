import { promisify } from 'node:util';
import { crc32, createInflate, type Inflate } from 'node:zlib';
import { UnreadablePicture } from '../auth.errors.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/**
 * Chunks that are needed for pixels and colours, with their permitted lengths. Other chunks hold texts, times, profiles
 * or unknown data.
 */
const KEPT_CHUNKS: Readonly<Record<string, (length: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length % 3 === 0 && length <= 768,
  tRNS: (length) => length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  IDAT: () => true,
};
/** Samples per pixel, by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Copies the parts of a PNG that a decoder needs: header, palette, transparency, gamma and pixels. Drops everything
 * else: texts, EXIF, times, colour profiles, animation frames, unknown chunks, and bytes after the compressed stream
 * and after the image.
 * @throws UnreadablePicture
 */
export async function stripPng(source: Buffer): Promise<Buffer> {
  if (!source.subarray(0, 8).equals(SIGNATURE)) throw new UnreadablePicture('no PNG');
  const kept: Buffer[] = [];
  const pixels: Buffer[] = [];
  const whole: Buffer[] = [];
  let at = 8;
  let seen: string;
  do {
    const length = at + 12 <= source.length ? source.readUInt32BE(at) : Infinity;
    if (at + 12 + length > source.length) throw new UnreadablePicture('a chunk is cut short');
    seen = source.toString('latin1', at + 4, at + 8);
    const chunk = source.subarray(at, at + 12 + length);
    at += chunk.length;
    if (!KEPT_CHUNKS[seen]?.(length)) continue;
    if (seen !== 'IDAT') kept.push(chunk);
    else {
      whole.push(chunk);
      pixels.push(chunk.subarray(8, -4));
    }
  } while (seen !== 'IEND');
  const header = kept[0];
  if (
    header?.toString('latin1', 4, 8) !== 'IHDR' ||
    kept.filter((chunk) => chunk.toString('latin1', 4, 8) === 'IHDR').length > 1
  )
    throw new UnreadablePicture('no header');
  return Buffer.concat([SIGNATURE, ...kept, ...(await pixelChunks(header, pixels, whole)), ending(source, at)]);
}

/**
 * The pixel chunks, unchanged if nothing follows the compressed stream. Otherwise a single chunk that ends with the
 * stream.
 */
async function pixelChunks(header: Buffer, pixels: Buffer[], whole: Buffer[]): Promise<Buffer[]> {
  const data = Buffer.concat(pixels);
  const used = await compressedLength(data, largest(header));
  return used === data.length ? whole : [chunkOf('IDAT', data.subarray(0, used))];
}

/**
 * Upper bound of the uncompressed size, in bytes. An interlaced picture has up to seven passes, and each row has a
 * filter byte.
 */
function largest(header: Buffer): number {
  const [width, height, depth, colour] = [header.readUInt32BE(8), header.readUInt32BE(12), header[16]!, header[17]!];
  return (Math.ceil((width * depth * (SAMPLES[colour] ?? 4)) / 8) + 16) * (height + 8) * 2;
}

/**
 * Length of the zlib stream at the start of the data. Inflates the stream in the thread pool and discards the result.
 * @param limit maximum number of inflated bytes
 */
const compressedLength = promisify(
  (data: Buffer, limit: number, done: (error: Error | null, length: number) => void): void => {
    const inflate: Inflate = createInflate();
    let inflated = 0;
    const end = (error: Error | null): void => {
      inflate
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      done(error && new UnreadablePicture(error.message), inflate.bytesWritten);
    };
    inflate.on('data', (part: Buffer) => {
      inflated += part.length;
      if (inflated > limit) end(new Error('more pixels than the picture has'));
    });
    inflate
      .on('end', () => end(null))
      .on('error', end)
      .end(data);
  },
);

function ending(source: Buffer, at: number): Buffer {
  const last = source.subarray(at - 12, at);
  return last.readUInt32BE(0) === 0 ? last : chunkOf('IEND', Buffer.alloc(0));
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
