import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { workbookOf } from '../test/kit/workbooks.js';

export type ImportedKind = 'csv' | 'xlsx';

const HEADER = ['Email', 'First Name', 'Last Name', 'Company', 'Title', 'City', 'State', 'Tier'];

/**
 * Rows of eight columns, as applicant tracking systems export them. One row in a thousand has no address, and some
 * addresses occur twice.
 */
function* rowsOf(count: number, tag: string): Generator<string[], void, void> {
  yield HEADER;
  for (let i = 0; i < count; i++) {
    const n = i % 997 === 3 ? i - 1 : i;
    const email = i % 1000 === 7 ? 'not an address' : `i${n}@${tag}${n % 20_000}.example`;
    yield [
      email,
      `Ann${n % 500}`,
      `Kumar${n % 3000}`,
      `Acme ${n % 20_000}`,
      `Recruiter ${n % 40}`,
      `City ${n % 300}`,
      n % 2 ? 'TX' : 'OK',
      n % 3 ? 'gold' : 'none',
    ];
  }
}

/** Writes a file to upload to disk, so that the bench process does not hold it in memory. Removes it after `use`. */
export async function withFile<T>(
  { kind, count, tag }: { kind: ImportedKind; count: number; tag: string },
  use: (file: Blob, name: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'staffcast-bench-'));
  const path = join(folder, `people.${kind}`);
  try {
    const content =
      kind === 'xlsx'
        ? Readable.from([await workbookOf([{ name: 'People', rows: rowsOf(count, tag) }])])
        : Readable.from(lines(rowsOf(count, tag)));
    await pipeline(content, createWriteStream(path));
    return await use(await openAsBlob(path), `people.${kind}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* lines(rows: Iterable<readonly string[]>): Generator<string, void, void> {
  let text = '';
  for (const cells of rows) {
    text += `${cells.join(',')}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}
