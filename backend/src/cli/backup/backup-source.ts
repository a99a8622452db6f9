import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { END_LINE, HEADER } from './write-backup.js';

const NEWLINE = 10;

/** Lines of a stream, as bytes without their line ends. Only \n (byte 10) ends a line; \r does not. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      rest.push(chunk.subarray(from, at));
      yield rest.length === 1 ? rest[0]! : Buffer.concat(rest);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

export type Lines = AsyncGenerator<Buffer, void>;

const NO_BACKUP = 'the file is no backup of Staffcast, or it is damaged';
const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** An opened backup file. Its lines are in PostgreSQL's plain format: COPY blocks and sequence values. */
export interface BackupSource {
  /** Names of the migrations that had run in the backed-up database. */
  migrations: string[];
  lines: Lines;
  /** Last line of a complete file; absent for formats without such a line. */
  endsWith?: string;
  /** Whether every table has a COPY block, even when it has no rows. */
  namesEveryTable: boolean;
  /** Closes the file; must always be called. */
  close(): void;
}

/** Whether the file is in pg_dump's custom format. */
export async function isCustomFormat(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.toString() === 'PGDMP';
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file that `writeBackup` wrote.
 * @throws for a file in another format; reading the lines of a damaged file throws
 */
export async function openPlain(file: string): Promise<BackupSource> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  const lines = linesOf(unpacked) as Lines;
  const close = (): void => void source.destroy();
  try {
    if (String((await lines.next()).value) !== HEADER) throw new Error();
    await lines.next();
    const [, names] = /^-- migrations: (.+)$/.exec(String((await lines.next()).value)) ?? [];
    return { migrations: names!.split(' '), lines, endsWith: END_LINE, namesEveryTable: false, close };
  } catch {
    close();
    throw new Error(NO_BACKUP);
  }
}

/**
 * Opens a file in pg_dump's custom format; pg_restore unpacks it and detects damage.
 * @param program path of pg_restore
 */
export async function openCustom(program: string, file: string): Promise<BackupSource> {
  const record = unpack(program, ['--data-only', `--table=${MIGRATIONS_TABLE}`, '--file=-', file]);
  const migrations: string[] = [];
  let columns: string[] | undefined;
  for await (const line of record.lines) {
    const text = line.toString();
    const copy = new RegExp(`^COPY public\\.${MIGRATIONS_TABLE} \\(([^)]+)\\) FROM stdin;$`).exec(text);
    if (copy) columns = copy[1]!.split(', ');
    else if (text === '\\.') columns = undefined;
    else if (columns) migrations.push(text.split('\t')[columns.indexOf('name')]!);
  }
  if (migrations.length === 0) throw new Error(NO_BACKUP);
  const data = unpack(program, ['--data-only', '--no-owner', '--no-privileges', '--schema=public', '--file=-', file]);
  return { migrations: migrations.sort(), lines: data.lines, namesEveryTable: true, close: data.close };
}

/** Returns the output lines of pg_restore. Reading them throws at the end if pg_restore failed. */
function unpack(program: string, args: string[]): { lines: Lines; close(): void } {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-1000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  async function* lines(): Lines {
    yield* linesOf(child.stdout);
    const code = await ended;
    if (code !== 0) throw new Error(`the backup is damaged: ${said.trim() || `${program} ended with ${code}`}`);
  }
  return { lines: lines(), close: () => void child.kill('SIGKILL') };
}
