import { randomBytes } from 'node:crypto';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { entities } from '../../src/entities.js';
import { migrateOnce } from '../../src/shared/database/migrate.js';
import { ormConfig } from '../../src/shared/database/orm-config.js';
import { migrations } from '../../migrations/index.js';

const TEMPLATE = `staffcast_template_${migrations.length}`;
const TEMPLATE_LOCK = 727_002;

function serverUrl(database?: string): string {
  const base = process.env.TEST_DATABASE_URL;
  if (!base) throw new Error('TEST_DATABASE_URL is not set: run npm test, or npm run services -- <command>');
  const url = new URL(base);
  if (database) url.pathname = `/${database}`;
  return url.toString();
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a migrated database: a clone of a template, which the first caller migrates. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (!rowCount) await createTemplate(client);
    // The strategy copies files. A copy through the write-ahead log takes eight times as long.
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return {
    url: serverUrl(name),
    drop: () =>
      onServer((client) => client.query(`drop database if exists ${name} with (force)`)).then(() => undefined),
  };
}

async function createTemplate(client: pg.Client): Promise<void> {
  await client.query(`create database ${TEMPLATE}_new`);
  const orm = await MikroORM.init(ormConfig(serverUrl(`${TEMPLATE}_new`), entities));
  await migrateOnce(orm);
  await orm.close(true);
  await client.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
}
