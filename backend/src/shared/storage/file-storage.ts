import { once } from 'node:events';
import { createReadStream, ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Disk } from 'flydrive';
import { Settings } from '../config/settings.js';
import { AppError } from '../errors/app-error.js';
import { driverOf } from './storage-driver.js';

/**
 * Stores the bytes of uploaded files by keys, in a folder or a bucket. All processes that share the database share the
 * storage.
 */
@Injectable()
export class FileStorage {
  private readonly log = new Logger(FileStorage.name);
  private opened?: Promise<Disk>;

  constructor(private readonly settings: Settings) {}

  /**
   * Stores bytes under a key, replacing existing ones.
   * @throws 503 where the storage does not answer
   */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.use((disk) => disk.put(key, bytes, { contentType: TYPE }));
  }

  /**
   * Stores the bytes of a local file as a stream, replacing existing ones.
   * @param path path of the file
   * @param byteSize size of the file
   * @throws 503 where the storage does not answer
   */
  async putFile(key: string, path: string, byteSize: number): Promise<void> {
    const put = async (disk: Disk): Promise<void> => {
      const bytes = createReadStream(path);
      // A storage that refuses the bytes does not read the file to its end.
      await disk.putStream(key, bytes, { contentType: TYPE, contentLength: byteSize }).finally(() => bytes.destroy());
    };
    await this.use((disk) =>
      put(disk).catch((error: unknown) => {
        // A bucket may close an idle connection just when it is used again, and its client repeats no streams.
        if (!isConnectionCut(error)) throw error;
        return put(disk);
      }),
    );
  }

  /**
   * @returns null where no bytes are stored under the key
   * @throws 503 where the storage does not answer
   */
  async read(key: string): Promise<Buffer | null> {
    return this.use(async (disk) => ((await disk.exists(key)) ? Buffer.from(await disk.getBytes(key)) : null));
  }

  /**
   * Number of the bytes that are stored under the key.
   * @returns null where there are none
   * @throws 503 where the storage does not answer
   */
  async sizeOf(key: string): Promise<number | null> {
    return this.use(async (disk) =>
      (await disk.exists(key)) ? Number((await disk.getMetaData(key)).contentLength) : null,
    );
  }

  /**
   * Reads bytes as a stream.
   * @returns null where no bytes are stored under the key
   * @throws 503 where the storage does not answer
   */
  async stream(key: string): Promise<Readable | null> {
    return this.use(async (disk) => ((await disk.exists(key)) ? opened(await disk.getStream(key)) : null));
  }

  /**
   * Removes bytes to which no row refers any more. Never throws: if the storage does not answer, the nightly sweep
   * removes the bytes later.
   */
  async remove(key: string): Promise<void> {
    await this.use((disk) => disk.delete(key)).catch(() => undefined);
  }

  /** All keys of a folder, page by page. */
  async *keys(folder: string): AsyncGenerator<string[]> {
    const disk = await this.disk();
    for (let paginationToken: string | undefined; ;) {
      const found = await disk.listAll(folder, { recursive: false, paginationToken });
      yield [...found.objects].flatMap((entry) => (entry.isFile ? [entry.key] : []));
      paginationToken = found.paginationToken;
      if (!paginationToken) return;
    }
  }

  private async use<T>(act: (disk: Disk) => Promise<T>): Promise<T> {
    try {
      return await act(await this.disk());
    } catch (error) {
      this.log.error({ err: error, code: 'storage_failed' }, 'the file storage failed');
      throw filesUnavailable();
    }
  }

  private disk(): Promise<Disk> {
    return (this.opened ??= driverOf(this.settings.storage).then((driver) => new Disk(driver)));
  }
}

/** The storage does not answer, or bytes that should be stored are missing. */
export const filesUnavailable = () =>
  new AppError('unavailable', 503, 'Files are not available at the moment. Please try again.', {
    headers: { 'Retry-After': '5' },
  });

/** Texts of errors by which a connection has been closed by the other side. The S3 client hands on no codes. */
const CONNECTION_CUT = /\b(?:ECONNRESET|EPIPE|socket hang up)\b/;

/** Whether an error, or one of its causes, is a connection that the other side has closed. */
function isConnectionCut(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (CONNECTION_CUT.test(cause.message)) return true;
  return false;
}

/**
 * Waits until a local file is open. Installs an error listener, because an error without one would end the process.
 * Callers that read later must check `errored` first.
 * @returns null where the file was removed meanwhile
 */
async function opened(bytes: Readable): Promise<Readable | null> {
  bytes.on('error', () => undefined);
  if (!(bytes instanceof ReadStream) || !bytes.pending) return bytes;
  try {
    await once(bytes, 'ready');
    return bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Content type of all stored bytes. Browsers do not display it, even if somebody makes the bucket public. The real type
 * is in the rows of the files.
 */
const TYPE = 'application/octet-stream';

@Global()
@Module({ providers: [FileStorage], exports: [FileStorage] })
export class StorageModule {}
