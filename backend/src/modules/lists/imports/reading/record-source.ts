/** One record of a file, whatever its format. */
export interface ImportRecord {
  /**
   * Unique and increasing: the first physical line of a text, the number of a row in a sheet, or the position in a
   * pasted list.
   */
  line: number;
  /** Trimmed; without NUL and lone surrogates, so that they can be stored as jsonb. */
  cells: string[];
  /** The record exceeds a bound of the reader, so the cells contain only its beginning. */
  refused?: 'too_long' | 'too_wide';
}

/** A stored file that can be read from any byte on. */
export interface RandomAccessPieces {
  /** In bytes. */
  readonly size: number;
  /** The bytes from an offset on; fewer than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export type SourceKind = 'csv' | 'tsv' | 'xlsx' | 'text';
export type TextEncoding = 'utf8' | 'utf16le' | 'utf16be' | 'windows1252';

/** A visible sheet of a workbook; `index` is its place among all sheets. */
export interface SheetInfo {
  index: number;
  name: string;
}

/** A file as a stream of records; the same for every format. */
export interface RecordSource {
  readonly kind: SourceKind;
  /** Null for a workbook. */
  readonly encoding: TextEncoding | null;
  readonly delimiter: string | null;
  /** Empty unless the file is a workbook. */
  readonly sheets: readonly SheetInfo[];
  /** Whether serial numbers of dates count from 1904. */
  readonly uses1904: boolean;
  /**
   * Records in batches of at most 1,000; blank ones are skipped. Batches are empty while a reader still prepares.
   * Can be called again, and starts at the beginning.
   * @param sheet index of a sheet; default: the first visible one
   * @throws AppError where the file turns out to be damaged or too large while it is read
   */
  records(sheet?: number): AsyncIterable<ImportRecord[]>;
  /** Bytes read of the file, or of the unpacked sheet. */
  progress(): { done: number; total: number };
  /** Frees temporary files. */
  close(): Promise<void>;
}

/** Bounds of what is read of one file. */
export interface ReadingLimits {
  rows: number;
  columns: number;
  /** Characters of all cells of one record. */
  recordLength: number;
  /** Bytes of the parts of a workbook, and characters of all its records together. */
  unpackedBytes: number;
  /** Shared strings of a workbook; each takes four bytes of memory. */
  sharedStrings: number;
  /** Unpacked bytes per packed byte; applies to parts over 32 MB. */
  ratio: number;
}

export const READING_LIMITS: ReadingLimits = {
  rows: 1_048_576,
  columns: 200,
  recordLength: 64 * 1024,
  unpackedBytes: 1.5 * 1024 ** 3,
  sharedStrings: 20_000_000,
  ratio: 250,
};

export const BATCH_RECORDS = 1_000;
