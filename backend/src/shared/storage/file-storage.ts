import { once } from 'node:events';
import { createReadStream, ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Disk } from 'flydrive';
import { Settings } from '../config/settings.js';
import { AppError } from '../errors/app-error.js';
import { driverOf } from './storage-driver.js';

/**
 * Stores the bytes of uploaded files under keys, in a folder or a bucket. All processes that share a database must
 * share the storage.
 */
@Injectable()
export class FileStorage {
  private readonly log = new Logger(FileStorage.name);
  private opened?: Promise<Disk>;

  constructor(private readonly settings: Settings) {}

  /**
   * Stores bytes under a key and replaces existing ones.
   * @throws 503 if the storage does not answer
   */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.use((disk) => disk.put(key, bytes, { contentType: TYPE }));
  }

  /**
   * Stores the bytes of a local file as a stream and replaces existing ones.
   * @param path path of the file
   * @param byteSize size of the file, in bytes
   * @throws 503 if the storage does not answer
   */
  async putFile(key: string, path: string, byteSize: number): Promise<void> {
    const put = async (disk: Disk): Promise<void> => {
      const bytes = createReadStream(path);
      // Closes the local file explicitly, because it is not read to its end if the storage refuses the bytes.
      await disk.putStream(key, bytes, { contentType: TYPE, contentLength: byteSize }).finally(() => bytes.destroy());
    };
    await this.use((disk) =>
      put(disk).catch((error: unknown) => {
        // Retries once: a bucket may close an idle connection at the moment when it is used again, and the S3 client
        // does not repeat streams.
        if (!isConnectionCut(error)) throw error;
        return put(disk);
      }),
    );
  }

  /**
   * @returns null if no bytes are stored under the key
   * @throws 503 if the storage does not answer
   */
  async read(key: string): Promise<Buffer | null> {
    return this.use(async (disk) => ((await disk.exists(key)) ? Buffer.from(await disk.getBytes(key)) : null));
  }

  /**
   * Number of bytes that are stored under the key.
   * @returns null if there are none
   * @throws 503 if the storage does not answer
   */
  async sizeOf(key: string): Promise<number | null> {
    return this.use(async (disk) =>
      (await disk.exists(key)) ? Number((await disk.getMetaData(key)).contentLength) : null,
    );
  }

  /**
   * Reads bytes as a stream.
   * @returns null if no bytes are stored under the key
   * @throws 503 if the storage does not answer
   */
  async stream(key: string): Promise<Readable | null> {
    return this.use(async (disk) => ((await disk.exists(key)) ? opened(await disk.getStream(key)) : null));
  }

  /**
   * Removes bytes that no row refers to any more. Never throws: if the storage does not answer, the nightly sweep
   * removes them later.
   */
  async remove(key: string): Promise<void> {
    await this.use((disk) => disk.delete(key)).catch(() => undefined);
  }

  /** Lists all keys in a folder, page by page. */
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

/** Error for a storage that does not answer, and for bytes that are unexpectedly missing. */
export const filesUnavailable = () =>
  new AppError('unavailable', 503, 'Files are not available at the moment. Please try again.', {
    headers: { 'Retry-After': '5' },
  });

/**
 * Messages of errors that mean that the other side closed the connection. The S3 client does not pass on error codes.
 */
const CONNECTION_CUT = /\b(?:ECONNRESET|EPIPE|socket hang up)\b/;

/** Whether the other side closed the connection, judged by an error and its causes. */
function isConnectionCut(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (CONNECTION_CUT.test(cause.message)) return true;
  return false;
}

/**
 * Waits until a local file is open. Installs an error listener, because an error without a listener would end the
 * process. Callers that read later must check `errored` first.
 * @returns null if the file was removed in the meantime
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
 * Content type of all stored bytes. Browsers do not display it, even if somebody makes the bucket public. The rows of
 * the files hold the real types.
 */
const TYPE = 'application/octet-stream';

@Global()
@Module({ providers: [FileStorage], exports: [FileStorage] })
export class StorageModule {}
