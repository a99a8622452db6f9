import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { RandomAccessPieces } from '../reading/record-source.js';

interface Piece {
  position: number;
  begins: number;
  size: number;
}

/** Maximum number of pieces kept in memory; a workbook is read at two or three offsets in turn. */
const MAX_CACHED_FILES = 4;

/** Opens the stored file of an import for reading from any offset. @returns null if it no longer exists */
export async function openStoredFile(em: EntityManager, importId: string): Promise<RandomAccessPieces | null> {
  const found = await rows<{ position: number; size: number }>(
    em,
    `select position, octet_length(content) as size from contact_import_chunks where import_id = ? order by position`,
    [importId],
  );
  if (found.length === 0) return null;
  let size = 0;
  const pieces = found.map(({ position, size: bytes }): Piece => {
    const begins = size;
    size += bytes;
    return { position, begins, size: bytes };
  });
  return { size, read: readerOf(em, importId, pieces) };
}

function readerOf(em: EntityManager, importId: string, pieces: readonly Piece[]): RandomAccessPieces['read'] {
  const kept = new Map<number, Buffer>();
  const contentOf = async ({ position }: Piece): Promise<Buffer> => {
    const there = kept.get(position);
    if (there) {
      kept.delete(position);
      kept.set(position, there);
      return there;
    }
    const [piece] = await rows<{ content: Buffer }>(
      em,
      `select content from contact_import_chunks where import_id = ? and position = ?`,
      [importId, position],
    );
    if (!piece) throw new Error('a piece of the file is gone');
    if (kept.size >= MAX_CACHED_FILES) kept.delete(kept.keys().next().value!);
    kept.set(position, piece.content);
    return piece.content;
  };
  return async (offset, length) => {
    const parts: Buffer[] = [];
    for (let at = pieceAt(pieces, offset), from = offset; at < pieces.length && from < offset + length; at += 1) {
      const piece = pieces[at]!;
      const content = await contentOf(piece);
      const part = content.subarray(from - piece.begins, offset + length - piece.begins);
      parts.push(part);
      from += part.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  };
}

/** Index of the piece that holds the byte at an offset; the number of pieces if the offset is beyond the end. */
function pieceAt(pieces: readonly Piece[], offset: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { begins, size } = pieces[middle]!;
    if (offset >= begins + size) low = middle + 1;
    else high = middle;
  }
  return low;
}
