import { fileKindOf } from './file-kind.js';
import { openPastedText } from './pasted-text.js';
import { READING_LIMITS, type RandomAccessPieces, type ReadingLimits, type RecordSource } from './record-source.js';
import { fileType } from './refusals.js';
import { openText } from './text-source.js';
import { openXlsx } from './xlsx/xlsx-source.js';

const HEAD_BYTES = 4096;

export interface SourceOptions {
  /** The file is a text that somebody pasted: rows, addresses or a line of recipients. */
  pasted?: boolean;
  /** Folder of temporary files; default: the system's. */
  tempDir?: string;
  limits?: Partial<ReadingLimits>;
}

/**
 * Opens a file as a stream of records, whatever its format, which is detected by the content.
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
