import pg from 'pg';
import { migrations } from '../../../migrations/index.js';

const TEMPLATE = `faults_template_${migrations.length}`;
const TEMPLATE_LOCK = 727_003;

export const urlOf = (database: string): URL => {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${database}`;
  return url;
};

/**
 * Creates a migrated database: a clone of a template that the first caller migrates with the product.
 * @param tablespace where the database is stored, if not in the default tablespace
 */
export async function cloneDatabase(
  name: string,
  migrate: (url: URL) => Promise<void>,
  tablespace = 'pg_default',
): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (!rowCount) {
      await client.query(`drop database if exists ${TEMPLATE}_new with (force)`);
      await client.query(`create database ${TEMPLATE}_new`);
      await migrate(urlOf(`${TEMPLATE}_new`));
      await client.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
    }
    await client.query(`create database ${name} template ${TEMPLATE} tablespace ${tablespace}`);
  });
}

export const createEmptyDatabase = (name: string): Promise<void> =>
  onServer(async (client) => void (await client.query(`create database ${name}`)));

/** Grants a role that is not the superuser access to a database. */
export async function grantTo(role: string, database: string): Promise<void> {
  await onServer(async (client) => void (await client.query(`create role ${role} login password '${role}'`)));
  const sql = `grant all on schema public to ${role}; grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}`;
  await onServer(async (client) => void (await client.query(sql)), urlOf(database));
}

export const dropDatabase = (name: string): Promise<void> =>
  onServer(async (client) => void (await client.query(`drop database if exists ${name} with (force)`)));

export async function onServer(
  work: (client: pg.Client) => Promise<void>,
  url = new URL(process.env.TEST_DATABASE_URL ?? ''),
): Promise<void> {
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  await work(client).finally(() => client.end());
}
