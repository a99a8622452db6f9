import { mkdtempSync, readSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadingLimits } from '../record-source.js';
import { fileTooLarge } from '../refusals.js';
import { parseXml } from './xml-events.js';

const PAGE = 65_536;
const BLOCK_BYTES = 32 * 1024;
const CACHED_BLOCKS = 128;
const WRITE_BYTES = 256 * 1024;
/**
 * Number of collected strings at which they are written to the file, even if they have few bytes, because a short
 * string takes more memory than its bytes.
 */
const WRITE_STRINGS = 4_096;

/**
 * The shared strings of a workbook in a temporary file. Memory holds four bytes for each string and a few blocks of the
 * file, so it does not grow with the length of the texts. The file holds personal data and must not outlive the
 * process, so it is unlinked at once if the system allows that.
 */
export class SharedStrings {
  /** End of each string in the file; a string begins where the previous one ends. */
  private readonly pages: Uint32Array[] = [];
  private readonly blocks = new Map<number, Buffer>();
  private count = 0;
  private bytes = 0;

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
  ) {}

  /**
   * Reads the strings in steps, so that other work can run in between.
   * @throws AppError for damaged XML, or for more strings than allowed
   */
  static async *spill(
    xml: AsyncIterable<Uint8Array>,
    limits: ReadingLimits,
    tempDir = tmpdir(),
  ): AsyncGenerator<[], SharedStrings, void> {
    const folder = mkdtempSync(join(tempDir, 'staffcast-import-'));
    let file: FileHandle | undefined;
    let isWhole = false;
    try {
      file = await open(join(folder, 'strings'), 'wx+', 0o600);
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // Windows cannot remove open files; there, close() removes the folder.
      }
      const strings = new SharedStrings(folder, file);
      yield* strings.fill(xml, limits);
      isWhole = true;
      return strings;
    } finally {
      if (!isWhole) {
        await file?.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }

  /** A trimmed string by its index; empty for an unknown index. */
  get(index: number): string {
    if (!(index >= 0 && index < this.count)) return '';
    const start = index === 0 ? 0 : this.endOf(index - 1);
    const end = this.endOf(index);
    if (start === end) return '';
    const block = Math.floor(start / BLOCK_BYTES);
    const first = block * BLOCK_BYTES;
    if (end <= first + BLOCK_BYTES) return this.block(block).toString('utf8', start - first, end - first);
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(this.file.fd, bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  }

  async close(): Promise<void> {
    await this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private endOf(index: number): number {
    return this.pages[Math.floor(index / PAGE)]![index % PAGE]!;
  }

  private block(number: number): Buffer {
    const cached = this.blocks.get(number);
    if (cached) {
      this.blocks.delete(number);
      this.blocks.set(number, cached);
      return cached;
    }
    const bytes = Buffer.alloc(BLOCK_BYTES);
    readSync(this.file.fd, bytes, 0, BLOCK_BYTES, number * BLOCK_BYTES);
    if (this.blocks.size >= CACHED_BLOCKS) this.blocks.delete(this.blocks.keys().next().value!);
    this.blocks.set(number, bytes);
    return bytes;
  }

  /**
   * Writes the strings to the file. Cuts each text one character beyond the limit of a record, so that a record with
   * such a text still exceeds the limit.
   */
  private async *fill(xml: AsyncIterable<Uint8Array>, limits: ReadingLimits): AsyncGenerator<[], void, void> {
    let pending: Buffer[] = [];
    let size = 0;
    let text = '';
    let [isText, isPhonetic] = [false, false];
    const flush = async () => {
      if (size > 0) await this.file.appendFile(Buffer.concat(pending));
      pending = [];
      size = 0;
    };
    const pieces = parseXml(
      xml,
      {
        open(name) {
          if (name === 'si') text = '';
          else if (name === 'rPh') isPhonetic = true;
          else isText = name === 't' && !isPhonetic;
        },
        text(part) {
          const room = limits.recordLength + 1 - text.length;
          if (isText && room > 0) text += part.slice(0, room);
        },
        close: (name) => {
          isText = false;
          if (name === 'rPh') isPhonetic = false;
          if (name !== 'si') return;
          if (this.count >= limits.sharedStrings) throw fileTooLarge('unpacked', limits);
          const bytes = Buffer.from(text.trim());
          if (bytes.length > 0) pending.push(bytes);
          size += bytes.length;
          this.add(bytes.length);
        },
      },
      limits,
    );
    for await (const _piece of pieces) {
      if (size > WRITE_BYTES || pending.length > WRITE_STRINGS) await flush();
      yield [];
    }
    await flush();
  }

  private add(length: number): void {
    const place = this.count % PAGE;
    if (place === 0) this.pages.push(new Uint32Array(PAGE));
    this.bytes += length;
    this.pages.at(-1)![place] = this.bytes;
    this.count += 1;
  }
}
