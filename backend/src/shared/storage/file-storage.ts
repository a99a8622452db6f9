import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Global, Injectable, Module } from '@nestjs/common';
import { Disk } from 'flydrive';
import { Settings } from '../config/settings.js';
import { driverOf } from './storage-driver.js';

/** Stores the bytes of uploaded files under keys, independent of the medium. All processes that share the database share the storage. */
@Injectable()
export class FileStorage {
  private opened?: Promise<Disk>;

  constructor(private readonly settings: Settings) {}

  /** Stores bytes; replaces existing ones. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await (await this.disk()).put(key, bytes, { contentType: TYPE });
  }

  /** Stores the bytes of a local file as a stream; replaces existing ones. @param byteSize its size */
  async putFile(key: string, path: string, byteSize: number): Promise<void> {
    const disk = await this.disk();
    await disk.putStream(key, createReadStream(path), { contentType: TYPE, contentLength: byteSize });
  }

  /** @returns null where there are none */
  async read(key: string): Promise<Buffer | null> {
    const disk = await this.disk();
    if (!(await disk.exists(key))) return null;
    return Buffer.from(await disk.getBytes(key));
  }

  /** The bytes as a stream. @returns null where there are none */
  async stream(key: string): Promise<Readable | null> {
    const disk = await this.disk();
    if (!(await disk.exists(key))) return null;
    return disk.getStream(key);
  }

  async remove(key: string): Promise<void> {
    await (await this.disk()).delete(key);
  }

  /** The keys of a folder, page by page. */
  async *keys(folder: string): AsyncGenerator<string[]> {
    const disk = await this.disk();
    for (let paginationToken: string | undefined; ;) {
      const found = await disk.listAll(folder, { recursive: false, paginationToken });
      yield [...found.objects].flatMap((entry) => (entry.isFile ? [entry.key] : []));
      paginationToken = found.paginationToken;
      if (!paginationToken) return;
    }
  }

  private disk(): Promise<Disk> {
    return (this.opened ??= driverOf(this.settings.storage).then((driver) => new Disk(driver)));
  }
}

/** The type is kept in the files' rows; a bucket that somebody opens to the public shows nothing. */
const TYPE = 'application/octet-stream';

@Global()
@Module({ providers: [FileStorage], exports: [FileStorage] })
export class StorageModule {}
