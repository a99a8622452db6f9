import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FSDriver } from 'flydrive/drivers/fs';
import type { WriteOptions } from 'flydrive/types';

/**
 * A folder whose files are always complete: writes a temporary file and then renames it. Writing in place would
 * truncate a file that somebody is reading, and a crash would leave it truncated.
 */
export class FolderDriver extends FSDriver {
  constructor(private readonly folder: string) {
    super({ location: folder, visibility: 'private' });
  }

  override put(key: string, contents: string | Uint8Array, options?: WriteOptions): Promise<void> {
    return this.replace(key, (part) => super.put(part, contents, options));
  }

  override putStream(key: string, contents: Readable, options?: WriteOptions): Promise<void> {
    return this.replace(key, (part) => super.putStream(part, contents, options));
  }

  /**
   * Writes a temporary file and renames it. If a crash leaves the temporary file behind, the nightly sweep removes it,
   * because no row refers to it.
   */
  private async replace(key: string, write: (part: string) => Promise<void>): Promise<void> {
    const part = `${key}.${randomUUID()}`;
    try {
      await write(part);
      await rename(join(this.folder, part), join(this.folder, key));
    } catch (error) {
      await this.delete(part).catch(() => undefined);
      throw error;
    }
  }
}
