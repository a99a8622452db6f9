import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onServer } from './database.js';

/** A small file system for a database's tables, which tests fill and empty. */
export class SmallDisk {
  readonly tablespace: string;

  private constructor(private readonly path: string) {
    this.tablespace = basename(path).replaceAll('-', '_').toLowerCase();
  }

  /** Folder for other files. */
  get folder(): string {
    return join(this.path, 'files');
  }

  /** @returns undefined if the machine cannot provide such a file system */
  static mount(megabytes: number): SmallDisk | undefined {
    const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
    if (
      process.getuid?.() === 0 &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0
    )
      return new SmallDisk(path);
    rmSync(path, { recursive: true, force: true });
    return undefined;
  }

  /** Creates a tablespace on the file system. */
  async offer(): Promise<void> {
    const place = join(this.path, 'data');
    mkdirSync(place);
    await onServer(async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      const { uid, gid } = statSync(rows[0]!.data_directory);
      chownSync(place, uid, gid);
      await client.query(`create tablespace ${this.tablespace} location '${place}'`);
    });
  }

  fill(): void {
    const file = openSync(join(this.path, 'filler'), 'a');
    for (const bytes of [1 << 20, 1 << 12]) while (writes(file, bytes));
    closeSync(file);
  }

  free(): void {
    rmSync(join(this.path, 'filler'), { force: true });
  }

  /** Unmounts the file system. Must be called only when no database uses it any more. */
  async remove(): Promise<void> {
    await onServer(async (client) => void (await client.query(`drop tablespace if exists ${this.tablespace}`)));
    spawnSync('umount', ['-l', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}

function writes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}
