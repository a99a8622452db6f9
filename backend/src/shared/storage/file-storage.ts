import { Global, Injectable, Module } from '@nestjs/common';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { Settings } from '../config/settings.js';

/** Stores the bytes of uploaded files under keys, independent of the medium. All processes that share the database share the storage. */
@Injectable()
export class FileStorage {
  private readonly disk: Disk;

  constructor(settings: Settings) {
    this.disk = new Disk(new FSDriver({ location: settings.filesDir, visibility: 'private' }));
  }

  /** Stores bytes; replaces existing ones. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.disk.put(key, bytes);
  }

  /** @returns null where there are none */
  async read(key: string): Promise<Buffer | null> {
    if (!(await this.disk.exists(key))) return null;
    return Buffer.from(await this.disk.getBytes(key));
  }

  async remove(key: string): Promise<void> {
    await this.disk.delete(key);
  }

  /** The keys of a folder, page by page. */
  async *keys(folder: string): AsyncGenerator<string[]> {
    for (let paginationToken: string | undefined; ;) {
      const found = await this.disk.listAll(folder, { recursive: false, paginationToken });
      yield [...found.objects].flatMap((entry) => (entry.isFile ? [entry.key] : []));
      paginationToken = found.paginationToken;
      if (!paginationToken) return;
    }
  }
}

@Global()
@Module({ providers: [FileStorage], exports: [FileStorage] })
export class StorageModule {}
