import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { backUp, restore } from '../../../src/cli/backup/backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { entities } from '../../../src/entities.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { createDatabase } from '../../kit/database.js';
import { packagedPostgres, startPackagedPostgres } from '../../kit/postgres-client.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-restore-'));
const programs = packagedPostgres();
const quiet = (): number => 0;
/** How many migrations the version before lacks. */
const NEWER = 3;

let app: TestApp;
const orm = () => app.get(MikroORM);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A checksum of every row of every table, and what the schema looks like. */
async function everything(em = app.em()): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(em, `select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await rows<{ sum: string; n: number }>(em, `select md5(coalesce(string_agg(md5(t::text), '' order by t::text), '')) as sum, count(*)::int as n from public.${name} t`);
    found[name] = `${row!.n} rows ${row!.sum}`;
  }
  const [{ other }] = (await rows<{ other: string }>(em, `select string_agg(nspname, ' ' order by nspname) as other from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`)) as [{ other: string }];
  return { ...found, schemas: other, shape: await shape(em) };
}

/** Columns, indexes, constraints, triggers, functions, sequences and grants of the live schema, by name. */
async function shape(em: EntityManager): Promise<string> {
  const found = await rows<{ line: string }>(em, `
    select format('%s.%s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(t.oid) || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    union all select p.oid::regprocedure::text || md5(p.prosrc) from pg_proc p where p.pronamespace = 'public'::regnamespace
    union all select extname || ' ' || extnamespace::regnamespace::text from pg_extension
    union all select relname || ' ' || coalesce(array_to_string(relacl, ','), '') from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
    order by 1`);
  return found.map(({ line }) => line).join('\n');
}

/** A database as the version before would hold it: a backup's rows, with the newest migrations undone. It is gone once `use` is done. */
async function withOlder<T>(from: string, use: (older: MikroORM, url: string) => Promise<T>, makeDatabase: () => Promise<{ url: string; drop: () => Promise<void> }> = createDatabase): Promise<T> {
  const database = await makeDatabase();
  const older = await MikroORM.init(ormConfig(database.url, entities));
  try {
    await restore(older, from, quiet);
    for (let undone = 0; undone < NEWER; undone++) await older.migrator.down();
    return await use(older, database.url);
  } finally {
    await older.close(true);
    await database.drop();
  }
}

/**
 * A backup as the version before would have written it.
 * @returns what its database holds once it is brought up to date
 */
function writeOlder(from: string, to: string): Promise<Record<string, string>> {
  return withOlder(from, async (older) => {
    await writeBackup(older, to);
    await older.migrator.up();
    return everything(older.em.fork());
  });
}

async function someData(): Promise<{ email: string }> {
  const user = await app.user();
  const list = await seedList(app, user, { addresses: Array.from({ length: 300 }, (_, i) => `p${i}@people.test`), name: 'Tab\there, line\nbreak, \\. and \u2028' });
  await settled(user, await send(user, list));
  await rows(app.em(), `do $$ begin if not exists (select 1 from pg_roles where rolname = 'restore_reader') then create role restore_reader; end if; end $$`);
  await rows(app.em(), `grant select on email_lists to restore_reader; grant select (id, email) on users to restore_reader with grant option`);
  return user;
}

/** Asks the running product for what it serves, all the time. @returns how often, and the longest wait, once ended */
function visitor(email: string): () => Promise<{ asked: number; longestMs: number; faults: number }> {
  let ended = false;
  const seen = { asked: 0, longestMs: 0, faults: 0 };
  const run = (async () => {
    for (; !ended; seen.asked++) {
      const start = Date.now();
      const answers = await Promise.all([app.http().get('/api/health/ready'), app.http().post('/api/auth/login').send({ email, password: PASSWORD })]);
      seen.longestMs = Math.max(seen.longestMs, Date.now() - start);
      seen.faults += answers.filter(({ status }) => status !== 200).length;
      await pause(20);
    }
  })();
  return async () => {
    ended = true;
    await run;
    return seen;
  };
}

/** Every kind of damage: the file, what the refusal says. */
type Damaged = [kind: string, file: string, message: RegExp][];

async function refusesAll(damaged: Damaged, email: string): Promise<void> {
  const before = await everything();
  const leave = visitor(email);
  for (const [kind, file, message] of damaged) {
    await expect(restore(orm(), file, quiet).then(() => `${kind} was restored`, (error: Error) => error.message)).resolves.toMatch(message);
    // A sign-in leaves its session.
    expect({ kind, ...(await everything()), auth_sessions: '', audit_events: '' }).toEqual({ kind, ...before, auth_sessions: '', audit_events: '' });
  }
  const { faults, longestMs, asked } = await leave();
  process.stderr.write(`${asked} visits while ${damaged.length} damaged files were tried, the longest ${longestMs} ms\n`);
  expect(faults).toBe(0);
  expect(longestMs).toBeLessThan(4_000);
}

describe('restore of the plain format', () => {
  let email: string;
  const file = join(folder, 'plain.backup');
  const olderFile = join(folder, 'older');
  let held: Promise<Record<string, string>> | undefined;
  /** Written once, since both tests read it. @returns what that version held */
  const olderOnce = () => (held ??= writeOlder(file, olderFile));
  const written = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? gzipSync(content) : content);
    return path;
  };

  beforeAll(async () => {
    app = await startApp();
    ({ email } = await someData());
    await writeBackup(orm(), file);
  });
  afterAll(() => app.close());

  it('changes nothing where the file is cut off, damaged, older or newer and damaged', async () => {
    const packed = readFileSync(file);
    const text = gunzipSync(packed).toString();
    await olderOnce();
    const older = gunzipSync(readFileSync(olderFile)).toString();
    const middle = text.indexOf('p200@people.test');
    const flipped = Buffer.from(packed);
    flipped[Math.floor(flipped.length / 2)]! ^= 0xff;
    const sum = Buffer.from(packed);
    sum[sum.length - 6]! ^= 0xff;
    await refusesAll([
      ['cut in the middle of a table', written('cut', text.slice(0, middle)), /too early/],
      ['cut after a whole row', written('cut-row', text.slice(0, text.lastIndexOf('\n', middle) + 1)), /too early/],
      ['the packed file cut', written('packed', packed.subarray(0, Math.floor(packed.length * 0.6))), /damaged|too early/],
      ['without its last lines', written('endless', text.slice(0, text.indexOf('\n-- end'))), /too early/],
      ['older, cut', written('older-cut', older.slice(0, older.indexOf('p200@people.test'))), /too early/],
      ['older, without its last lines', written('older-endless', older.slice(0, older.indexOf('\n-- end'))), /too early/],
      ['newer', written('newer', text.replace('-- migrations: ', '-- migrations: Migration20991231000000_later ')), /newer version/],
      ['a flipped byte', written('flipped', flipped), /damaged|too early|not its to hold|invalid|missing|extra data|syntax|malformed|encoding/],
      ['a wrong checksum', written('sum', sum), /damaged/],
      ['rows that refer to nothing', written('orphans', text.replace(/(COPY public\."users"[^\n]*\n)[\s\S]*?(\n\\\.\n)/, '$1\\.\n')), /foreign key|violates/],
      ['more than data', written('code', text.replace('\n-- end', '\ndrop table users;\n-- end')), /not its to hold/],
    ], email);
  }, 180_000);

  it('of an older version brings it up to date on the way in, while the product answers', async () => {
    // Grants are the live schema's own, not the file's.
    const before = { ...(await olderOnce()), shape: await shape(app.em()) };
    await app.user();
    const leave = visitor(email);
    await restore(orm(), olderFile, quiet);
    const { faults, longestMs, asked } = await leave();
    process.stderr.write(`${asked} visits during a restore, the longest ${longestMs} ms\n`);
    expect(faults).toBeLessThanOrEqual(2);
    const after = await everything();
    expect({ ...after, auth_sessions: '', audit_events: '', mikro_orm_migrations: '' }).toEqual({ ...before, auth_sessions: '', audit_events: '', mikro_orm_migrations: '' });
    await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const user = await app.user();
    await settled(user, await send(user, await seedList(app, user, { addresses: ['after@people.test'], name: 'after' })));
    const grants = await rows(app.em(), `select 1 where has_table_privilege('restore_reader', 'email_lists', 'select') and has_column_privilege('restore_reader', 'users', 'email', 'select with grant option') and not has_table_privilege('restore_reader', 'users', 'select')`);
    expect(grants).toHaveLength(1);
  }, 120_000);

  it('waits for nobody before the swap, and gives up where a table is in use all the time', async () => {
    await writeBackup(orm(), file);
    const before = await everything();
    const pool = await orm().em.getConnection().getNativeClient();
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from users limit 1');
    const done = restore(orm(), file, quiet);
    await pause(3_000);
    await holder.query('commit');
    holder.release();
    await done;
    expect({ ...(await everything()), mikro_orm_migrations: '' }).toEqual({ ...before, mikro_orm_migrations: '' });
  }, 120_000);
});

(programs ? describe : describe.skip)('restore of pg_dump\'s custom format', () => {
  let email: string;
  let server: Awaited<ReturnType<typeof startPackagedPostgres>>;
  const file = join(folder, 'custom.backup');

  beforeAll(async () => {
    server = await startPackagedPostgres(programs!);
    const made = await MikroORM.init(ormConfig(server.url, entities));
    await made.close(true);
    app = await startApp({ env: { DATABASE_URL: server.url } });
    ({ email } = await someData());
    await backUp(orm(), server.url, file, quiet);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('PGDMP');
  }, 180_000);
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  /** A dump of the same data whose record of migrations says something else. */
  async function dumpWith(name: string, change: string, back: string): Promise<string> {
    await rows(app.em(), change);
    try {
      return dump(name, server.url);
    } finally {
      await rows(app.em(), back);
    }
  }

  /** Beside the product's own, on the server whose programs are at hand. */
  async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
    await rows(app.em(), 'create database older');
    const url = new URL(server.url);
    url.pathname = '/older';
    const made = await MikroORM.init(ormConfig(url.toString(), entities));
    await made.migrator.up();
    await made.close(true);
    return { url: url.toString(), drop: async () => void (await rows(app.em(), 'drop database if exists older with (force)')) };
  }

  function dump(name: string, url: string): string {
    const path = join(folder, name);
    const { status, stderr } = spawnSync(join(programs!, 'pg_dump'), ['--format=custom', '--no-owner', '--file', path, url], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return path;
  }

  it('changes nothing where the file is cut off, damaged, older or newer and damaged', async () => {
    const older = await withOlder(file, async (_, url) => dump('c-older-whole', url), emptyDatabase);
    const newer = await dumpWith('c-newer', `insert into mikro_orm_migrations (name) values ('Migration20991231000000_later')`, `delete from mikro_orm_migrations where name = 'Migration20991231000000_later'`);
    const cut = (name: string, from: string, part: number): string => {
      const packed = readFileSync(from);
      writeFileSync(join(folder, name), packed.subarray(0, part < 0 ? packed.length + part : Math.floor(packed.length * part)));
      return join(folder, name);
    };
    const flip = (name: string, part: number): string => {
      const packed = Buffer.from(readFileSync(file));
      packed[Math.floor(packed.length * part)]! ^= 0xff;
      writeFileSync(join(folder, name), packed);
      return join(folder, name);
    };
    await refusesAll([
      ['cut in the middle of a table', cut('c-cut', file, 0.9), /damaged|too early|no backup/],
      ['without its last bytes', cut('c-end', file, -20), /damaged|too early|no backup/],
      ['cut in its table of contents', cut('c-toc', file, 0.2), /damaged|too early|no backup/],
      ['older, cut', cut('c-older-cut', older, 0.9), /damaged|too early|no backup/],
      ['older, without its last bytes', cut('c-older-end', older, -20), /damaged|too early|no backup/],
      ['newer', newer, /newer version/],
      ['a flipped byte', flip('c-flip', 0.93), /damaged|too early|no backup|not its to hold|invalid|missing|extra data/],
    ], email);
  }, 240_000);

  it('brings back every row as it was, while the product answers', async () => {
    await backUp(orm(), server.url, file, quiet);
    const before = await everything();
    const later = await app.user();
    const leave = visitor(email);
    await restore(orm(), file, quiet);
    const { faults, longestMs, asked } = await leave();
    process.stderr.write(`${asked} visits during a restore, the longest ${longestMs} ms\n`);
    expect(faults).toBeLessThanOrEqual(2);
    expect({ ...(await everything()), auth_sessions: '', audit_events: '', mikro_orm_migrations: '' }).toEqual({ ...before, auth_sessions: '', audit_events: '', mikro_orm_migrations: '' });
    await app.http().post('/api/auth/login').send({ email: later.email, password: PASSWORD }).expect(401);
  }, 120_000);
});
