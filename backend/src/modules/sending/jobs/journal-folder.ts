import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that nobody wrote to for so long has no owner any more. */
const ABANDONED_MS = 3_600_000;

/** A folder under DATA_DIR in which workers note, each in files of its own, what the others must know should they die. */
export class JournalFolder {
  private readonly mine = new Set<string>();

  constructor(private readonly path: string) {}

  /** A new file of this process. Throws where the disk takes nothing. */
  create(): JournalFile {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const path = join(this.path, `${randomUUID()}.jsonl`);
    const file = new JournalFile(path, openSync(path, 'ax', 0o600), () => this.mine.delete(path));
    this.mine.add(path);
    return file;
  }

  /** Hands the text of every file to `use`, that of this process's own only where asked for; what is abandoned goes then. */
  async readAll(use: (text: string) => Promise<unknown>, { own }: { own: boolean }): Promise<void> {
    for (const name of await readdir(this.path).catch(() => [])) {
      const path = join(this.path, name);
      if (!own && this.mine.has(path)) continue;
      // Its owner may remove it at any moment.
      const found = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => undefined);
      if (!found) continue;
      await use(found[0]);
      if (!this.mine.has(path) && Date.now() - found[1].mtimeMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** A file that its process appends lines to. */
export class JournalFile {
  constructor(
    private readonly path: string,
    private readonly descriptor: number,
    private readonly disown: () => void,
  ) {}

  /** @returns the bytes written. Throws where the disk does not take the whole line */
  append(line: string): number {
    const text = `${line}\n`;
    const written = writeSync(this.descriptor, text);
    if (written < Buffer.byteLength(text)) throw new Error('the disk is full');
    return written;
  }

  /** Leaves the file to whoever reads the folder. */
  leave(): void {
    this.disown();
    closeSync(this.descriptor);
  }

  remove(): void {
    this.leave();
    rmSync(this.path, { force: true });
  }
}
