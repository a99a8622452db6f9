import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import copy from 'pg-copy-streams';
import type { BackupSource, Lines } from './backup-source.js';
import { quoted } from './tables.js';

const COPY = /^COPY public\.("?)(\w+)\1 \(([\w", ]+)\) FROM stdin;$/;
const SETVAL = /^SELECT pg_catalog\.setval\('public\.([\w"]+)', (\d+)(?:, (true|false))?\);$/;
/** Lines that pg_restore prints around the data: comments, session settings, `\restrict` commands. */
const IGNORED_LINE =
  /^(--.*|SET \w+ = [^;]*;|SELECT pg_catalog\.set_config\('search_path', '', false\);|\\(un)?restrict \w+|)$/;
/** The migrations table belongs to the schema, so its rows are not loaded. */
const MIGRATIONS = /^mikro_orm_migrations/;
const FLUSH_BYTES = 65_536;
const CUT_OFF_ERROR = 'the backup ends too early: the file is cut off';

/**
 * Loads a backup's rows into the tables of `schema`. Accepts only COPY data and sequence values.
 * @returns names of the tables in the backup
 * @throws if the file is damaged, truncated or contains other statements. The connection may then be inside a COPY and
 * must be closed.
 */
export async function loadRows(
  client: PoolClient,
  schema: string,
  { lines, endsWith }: BackupSource,
): Promise<Set<string>> {
  const loaded = new Set<string>();
  for (let next = await read(lines); next; next = await read(lines)) {
    const text = next.toString();
    if (text === endsWith) {
      // Reads to the end, because gzip reports a wrong checksum only after the data.
      for (let rest = await read(lines); rest; rest = await read(lines))
        if (rest.length > 0) throw unexpectedContent(rest.toString());
      return loaded;
    }
    const [, , table, columns] = COPY.exec(text) ?? [];
    const [, sequence, value, isCalled = 'true'] = SETVAL.exec(text) ?? [];
    if (table && columns) {
      const isData = !MIGRATIONS.test(table);
      if (isData && loaded.has(table)) throw new Error(`the backup holds the table ${table} twice`);
      if (isData) loaded.add(table);
      await loadTable(
        isData ? client : undefined,
        `COPY ${quoted(schema)}.${quoted(table)} (${columns}) FROM stdin`,
        lines,
      );
    } else if (sequence && value) {
      if (!MIGRATIONS.test(sequence))
        await client.query('select pg_catalog.setval($1::regclass, $2::bigint, $3::boolean)', [
          `${quoted(schema)}.${sequence}`,
          value,
          isCalled === 'true',
        ]);
    } else if (!IGNORED_LINE.test(text) || (endsWith && text !== '')) {
      throw unexpectedContent(text);
    }
  }
  if (endsWith) throw new Error(CUT_OFF_ERROR);
  return loaded;
}

const unexpectedContent = (text: string): Error =>
  new Error(`the backup holds what is not its to hold: ${text.slice(0, 80)}`);

async function read(lines: Lines): Promise<Buffer | undefined> {
  try {
    const { value, done } = await lines.next();
    return done ? undefined : (value as Buffer);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code?.startsWith('Z_') ? new Error(`the backup is damaged: ${message}`) : error;
  }
}

/** Loads one COPY block; without a client, skips the block. */
async function loadTable(client: PoolClient | undefined, statement: string, lines: Lines): Promise<void> {
  const target = client?.query(copy.from(statement));
  const done = target && finished(target);
  done?.catch(() => undefined);
  // When the server refuses a row, pg-copy-streams releases its connection but still accepts writes. These would fail
  // without the cause, so the stream is destroyed.
  target?.once('error', () => target.destroy());
  const gathered: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes === 0) return;
    const chunk = Buffer.concat(gathered.splice(0));
    bytes = 0;
    if (target?.destroyed) await done;
    if (target && !target.write(chunk)) await Promise.race([once(target, 'drain'), done]);
  };
  for (;;) {
    const line = await read(lines);
    // Needs no cleanup here: the connection is inside a COPY, and the caller closes it.
    if (!line) throw new Error(CUT_OFF_ERROR);
    if (line.length === 2 && line[0] === 92 && line[1] === 46) break;
    if (!target) continue;
    gathered.push(line, NEWLINE);
    bytes += line.length + 1;
    if (bytes > FLUSH_BYTES) await flush();
  }
  await flush();
  target?.end();
  await done;
}

const NEWLINE = Buffer.from('\n');
