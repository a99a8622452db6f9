import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that was not written to for this many ms belongs to a dead process. */
const ABANDONED_MS = 3_600_000;

/** A folder under DATA_DIR in which each worker keeps files. Other workers read a worker's files if it dies. */
export class LogFolder {
  private readonly mine = new Set<string>();

  constructor(private readonly path: string) {}

  /**
   * Creates a file that belongs to this process.
   * @throws if the disk refuses it
   */
  create(): LogFile {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const path = join(this.path, `${randomUUID()}.jsonl`);
    const file = new LogFile(path, openSync(path, 'ax', 0o600), () => this.mine.delete(path));
    this.mine.add(path);
    return file;
  }

  /**
   * Passes the text of every file to `use`, and then removes abandoned files. Reads the files of this process only if
   * `own` is set.
   */
  async readAll(use: (text: string) => Promise<unknown>, { own }: { own: boolean }): Promise<void> {
    for (const name of await readdir(this.path).catch(() => [])) {
      const path = join(this.path, name);
      if (!own && this.mine.has(path)) continue;
      // The owner may remove the file at any time.
      const found = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => undefined);
      if (!found) continue;
      await use(found[0]);
      if (!this.mine.has(path) && Date.now() - found[1].mtimeMs > ABANDONED_MS)
        await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** A file to which its process appends lines. */
export class LogFile {
  constructor(
    private readonly path: string,
    private readonly descriptor: number,
    private readonly disown: () => void,
  ) {}

  /**
   * Appends a line.
   * @returns number of bytes written
   * @throws if the disk does not take the whole line
   */
  append(line: string): number {
    const text = `${line}\n`;
    const written = writeSync(this.descriptor, text);
    if (written < Buffer.byteLength(text)) throw new Error('the disk is full');
    return written;
  }

  /** Closes the file but keeps it for readers of the folder. */
  leave(): void {
    this.disown();
    closeSync(this.descriptor);
  }

  remove(): void {
    this.leave();
    rmSync(this.path, { force: true });
  }
}
