import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import copy from 'pg-copy-streams';
import { migrations } from '../../../migrations/index.js';
import { entities } from '../../entities.js';
import { ormConfig } from '../../shared/database/orm-config.js';
import { linesOf } from './lines.js';
import { quoted, tablesInOrder } from './tables.js';
import { END, HEADER } from './write-backup.js';

const COPY = /^COPY public\."\w+" \([^)]+\) FROM stdin;$/;
const SETVAL = /^SELECT pg_catalog\.setval\('[\w.]+', \d+\);$/;

type Lines = AsyncGenerator<Buffer>;

/**
 * Puts a backup in the place of everything that is there: all of it or, where anything is wrong with the file, nothing.
 * One of an older version gets that version's schema first and the newer migrations afterwards.
 */
export async function readBackup(orm: MikroORM, file: string): Promise<void> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  const lines = linesOf(unpacked);
  const names = await readHeader(lines);
  const unknown = names.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) throw new Error(`the backup is of a newer version (it has ${unknown.join(', ')}); restore it with that version`);
  const older = names.length < migrations.length;
  const pool = await orm.em.getConnection().getNativeClient();
  const client = (await pool.connect()) as unknown as PoolClient;
  try {
    if (older) {
      await client.query('drop schema public cascade; create schema public');
      await migrate(orm, names);
    }
    await client.query('begin');
    const tables = await tablesInOrder(client);
    const all = tables.map(({ name }) => `public.${quoted(name)}`);
    if (all.length > 0) await client.query(`truncate ${all.join(', ')} cascade`);
    for (const table of all) await client.query(`alter table ${table} disable trigger user`);
    await load(client, lines);
    for (const table of all) await client.query(`alter table ${table} enable trigger user`);
    await client.query('commit');
    if (older) await migrate(orm);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release(true);
    source.destroy();
  }
}

/** By an ORM of its own: this one remembers that its table of migrations exists. */
async function migrate(orm: MikroORM, names?: string[]): Promise<void> {
  const fresh = await MikroORM.init(ormConfig(orm.config.get('clientUrl')!, entities));
  try {
    await fresh.migrator.up(names && { migrations: names });
  } finally {
    await fresh.close(true);
  }
}

async function readHeader(lines: Lines): Promise<string[]> {
  try {
    if (String((await lines.next()).value) !== HEADER) throw new Error();
    await lines.next();
    const [, names] = /^-- migrations: (.+)$/.exec(String((await lines.next()).value)) ?? [];
    return names!.split(' ');
  } catch {
    throw new Error('the file is no backup of Staffcast, or it is damaged');
  }
}

/** Takes nothing but what a backup holds: data, and the counters of sequences. */
async function load(client: PoolClient, lines: Lines): Promise<void> {
  for await (const line of lines) {
    const text = line.toString();
    if (text === END) return;
    if (COPY.test(text)) await loadTable(client, text.replace(/;$/, ''), lines);
    else if (SETVAL.test(text)) await client.query(text);
    else if (text !== '') throw new Error(`the backup holds what is not its to hold: ${text.slice(0, 80)}`);
  }
  throw new Error('the backup ends too early: the file is cut off');
}

async function loadTable(client: PoolClient, statement: string, lines: Lines): Promise<void> {
  const target = client.query(copy.from(statement));
  const done = finished(target);
  done.catch(() => undefined);
  const newline = Buffer.from('\n');
  for (;;) {
    const { value: line, done: ended } = await lines.next();
    if (ended || target.destroyed) {
      target.destroy();
      await done;
      throw new Error('the backup ends too early: the file is cut off');
    }
    if (line.length === 2 && line[0] === 92 && line[1] === 46) break;
    if (!target.write(Buffer.concat([line, newline]))) await Promise.race([once(target, 'drain'), done]);
  }
  target.end();
  await done;
}
