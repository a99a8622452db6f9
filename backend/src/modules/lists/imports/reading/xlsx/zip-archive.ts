import { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../../../../../shared/errors/app-error.js';
import { streamOf } from '../pieces.js';
import type { RandomAccessPieces, ReadingLimits } from '../record-source.js';
import { fileTooLarge, fileType } from '../refusals.js';

/** Maximum number of entries; a workbook has some dozens. */
const MAX_ZIP_ENTRIES = 10_000;
/** Parts below this size may have any compression ratio, because repeated rows pack well. */
const UNSUSPICIOUS_BYTES = 32 * 1024 * 1024;

/** Lets yauzl read a stored file. Keeps an error of the storage apart from errors of the archive. */
class PieceReader extends yauzl.RandomAccessReader {
  failure?: unknown;

  constructor(private readonly file: RandomAccessPieces) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.pieces(start, end), { objectMode: false });
  }

  private async *pieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* streamOf(this.file, start, end);
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

/** The parts of a zip archive, by name. Nothing is ever written to disk under a name from the archive. */
export class ZipArchive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly reader: PieceReader,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ReadingLimits,
  ) {}

  /** Opens an archive. @throws AppError for a file that is no archive, is damaged, or has encrypted parts */
  static async open(file: RandomAccessPieces, limits: ReadingLimits): Promise<ZipArchive> {
    const reader = new PieceReader(file);
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(reader, file.size, { lazyEntries: true, autoClose: false });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entry.isEncrypted()) throw fileType('old_excel');
        if (zip.entriesRead > MAX_ZIP_ENTRIES) throw fileType('damaged');
        entries.set(entry.fileName.toLowerCase(), entry);
      }
      return new ZipArchive(zip, reader, entries, limits);
    } catch (error) {
      throw refusalOf(error, reader, limits);
    }
  }

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase());
  }

  /** Unpacked size of a part in bytes, as the archive states it; reading more than that fails. */
  sizeOf(name: string): number {
    return this.entries.get(name.toLowerCase())?.uncompressedSize ?? 0;
  }

  /** Checks the unpacked size of parts together. @throws AppError if it exceeds the limit */
  checkSize(...names: string[]): void {
    let sum = 0;
    for (const name of names) {
      const { uncompressedSize = 0, compressedSize = 0 } = this.entries.get(name.toLowerCase()) ?? {};
      sum += uncompressedSize;
      const isBomb = uncompressedSize > UNSUSPICIOUS_BYTES && uncompressedSize > compressedSize * this.limits.ratio;
      if (isBomb || sum > this.limits.unpackedBytes) throw fileTooLarge('unpacked', this.limits);
    }
  }

  /** The unpacked bytes of a part; none if the archive does not contain it. */
  async *part(name: string): AsyncGenerator<Uint8Array, void, void> {
    const entry = this.entries.get(name.toLowerCase());
    if (!entry) return;
    this.checkSize(name);
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      for await (const bytes of stream) yield bytes as Uint8Array;
    } catch (error) {
      throw refusalOf(error, this.reader, this.limits);
    }
  }

  close(): void {
    this.zip.close();
  }
}

function refusalOf(error: unknown, reader: PieceReader, limits: ReadingLimits): unknown {
  if (reader.failure !== undefined) return reader.failure;
  if (error instanceof AppError) return error;
  return String((error as Error).message).startsWith('too many bytes')
    ? fileTooLarge('unpacked', limits)
    : fileType('damaged');
}
