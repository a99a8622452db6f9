/** One record of a file, whatever its format. */
export interface ImportRecord {
  /**
   * Unique and increasing: the first physical line of a text, the number of a row in a sheet, or the position in a
   * pasted list.
   */
  line: number;
  /** Trimmed, and without NUL and lone surrogates, which jsonb cannot store. */
  cells: string[];
  /** Set if the record exceeds a limit of the reader; the cells then contain only its beginning. */
  refused?: 'too_long' | 'too_wide';
}

/** A stored file that can be read from any offset. */
export interface RandomAccessPieces {
  /** In bytes. */
  readonly size: number;
  /** The bytes from an offset on; fewer than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export type SourceKind = 'csv' | 'tsv' | 'xlsx' | 'text';
export type TextEncoding = 'utf8' | 'utf16le' | 'utf16be' | 'windows1252';

/** A visible sheet of a workbook; `index` is its position among all sheets. */
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
   * Reads the records in batches of at most 1,000; skips blank records. Batches may be empty while a reader still
   * prepares. Each call starts at the beginning of the file.
   * @param sheet index of a sheet; by default the first visible one
   * @throws AppError if the file turns out to be damaged or too large while it is read
   */
  records(sheet?: number): AsyncIterable<ImportRecord[]>;
  /** Bytes read so far of the file, or of the unpacked sheet, and their total. */
  progress(): { done: number; total: number };
  /** Frees temporary files. */
  close(): Promise<void>;
}

/** Limits of what is read from one file. */
export interface ReadingLimits {
  rows: number;
  columns: number;
  /** Maximum number of characters in all cells of one record. */
  recordLength: number;
  /** Maximum bytes of a workbook's unpacked parts, and maximum characters of all its records together. */
  unpackedBytes: number;
  /** Maximum number of shared strings of a workbook; each takes four bytes of memory. */
  sharedStrings: number;
  /** Maximum number of unpacked bytes per packed byte; applies to parts over 32 MB. */
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
