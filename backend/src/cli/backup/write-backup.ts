import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import copy from 'pg-copy-streams';
import { quoted, tablesInOrder } from './tables.js';

export const HEADER = '-- Staffcast backup 1';
export const END_LINE = '-- end of the backup';

/**
 * Writes a consistent snapshot of all rows in pg_dump's plain format (data only, gzipped). The first lines name the
 * migrations, because they define the schema. The file appears complete or not at all.
 * @returns number of rows
 */
export async function writeBackup(orm: MikroORM, file: string): Promise<number> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = (await pool.connect()) as unknown as PoolClient;
  const draft = `${file}.part`;
  const target = createWriteStream(draft, { mode: 0o600, flush: true });
  try {
    await client.query('begin isolation level repeatable read read only');
    const counted = { rows: 0 };
    await pipeline(textOf(client, counted), createGzip(), target);
    await client.query('commit');
    await rename(draft, file);
    return counted.rows;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    client.release(true);
  }
}

async function* textOf(client: PoolClient, counted: { rows: number }): AsyncGenerator<Buffer | string> {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from mikro_orm_migrations order by name',
  );
  yield `${HEADER}\n-- ${new Date().toISOString()}\n-- migrations: ${migrations.map(({ name }) => name).join(' ')}\n`;
  for (const table of await tablesInOrder(client)) {
    const columns = table.columns.map(quoted).join(', ');
    yield `\nCOPY public.${quoted(table.name)} (${columns}) FROM stdin;\n`;
    const stream = client.query(
      copy.to(
        `copy (select ${columns} from public.${quoted(table.name)}${table.isUnlogged ? ' where false' : ''}) to stdout`,
      ),
    );
    yield* stream as Readable as AsyncIterable<Buffer>;
    counted.rows += stream.rowCount;
    yield '\\.\n';
  }
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select schemaname || '.' || quote_ident(sequencename) as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  );
  for (const { name, value } of sequences.filter((sequence) => !sequence.name.includes('mikro_orm')))
    yield `SELECT pg_catalog.setval('${name.replaceAll("'", "''")}', ${value});\n`;
  yield `\n${END_LINE}\n`;
}
