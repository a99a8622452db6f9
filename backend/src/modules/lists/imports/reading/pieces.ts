import type { RandomAccessPieces } from './record-source.js';

const READ_BYTES = 256 * 1024;

/** Presents a text or buffer in memory as a file. */
export function piecesOf(content: Uint8Array | string): RandomAccessPieces {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** The bytes from `start` to `end` (exclusive) in order. */
export async function* streamOf(
  file: RandomAccessPieces,
  start = 0,
  end = file.size,
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = start; at < end;) {
    const bytes = await file.read(at, Math.min(READ_BYTES, end - at));
    if (bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}
