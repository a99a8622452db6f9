import { fileKindOf } from './file-kind.js';
import { openPastedText } from './pasted-text.js';
import { READING_LIMITS, type RandomAccessPieces, type ReadingLimits, type RecordSource } from './record-source.js';
import { fileType } from './refusals.js';
import { openText } from './text-source.js';
import { openXlsx } from './xlsx/xlsx-source.js';

const HEAD_BYTES = 4096;

export interface SourceOptions {
  /** True if the file is a text that a user pasted: rows, addresses or a line of recipients. */
  pasted?: boolean;
  /** Folder for temporary files; by default the system's. */
  tempDir?: string;
  limits?: Partial<ReadingLimits>;
}

/**
 * Opens a file of any format as a stream of records. The format is detected from the content.
 * @throws AppError `file_type` or `file_too_large`, with advice
 */
export async function openSource(file: RandomAccessPieces, options: SourceOptions = {}): Promise<RecordSource> {
  const limits = { ...READING_LIMITS, ...options.limits };
  if (options.pasted) return openPastedText(file, limits);
  const kind = fileKindOf(await file.read(0, HEAD_BYTES));
  if (kind === 'zip') return openXlsx(file, limits, options.tempDir);
  if (kind === 'text') return openText(file, limits);
  throw fileType(kind);
}
