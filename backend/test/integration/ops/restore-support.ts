import { NamePartsBackfill } from '../../../src/modules/lists/contacts/name-parts-backfill.js';
import { setTimeout as pause } from 'node:timers/promises';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { restore } from '../../../src/cli/backup/backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { entities } from '../../../src/entities.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import type { TestApp } from '../../kit/app.js';
import { createDatabase } from '../../kit/database.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';
import { expect } from '@jest/globals';

export const quiet = (): number => 0;
/** Number of migrations that the previous version lacks. */
const NEWER = 3;

/** A checksum over all rows of all tables, and a description of the schema. */
export async function stateOf(em: EntityManager): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    em,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await rows<{ sum: string; n: number }>(
      em,
      `select md5(coalesce(string_agg(md5(t::text), '' order by t::text), '')) as sum, count(*)::int as n from public.${name} t`,
    );
    found[name] = `${row!.n} rows ${row!.sum}`;
  }
  const [{ other }] = (await rows<{ other: string }>(
    em,
    `select string_agg(nspname, ' ' order by nspname) as other from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  )) as [{ other: string }];
  return { ...found, schemas: other, shape: await shape(em) };
}

/** Columns, indexes, constraints, triggers, functions, sequences and grants of the live schema, by name. */
export async function shape(em: EntityManager): Promise<string> {
  const found = await rows<{ line: string }>(
    em,
    `
    select format('%s.%s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(t.oid) || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    union all select p.oid::regprocedure::text || md5(p.prosrc) from pg_proc p where p.pronamespace = 'public'::regnamespace
    union all select extname || ' ' || extnamespace::regnamespace::text from pg_extension
    union all select relname || ' ' || coalesce(array_to_string(relacl, ','), '') from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
    order by 1`,
  );
  return found.map(({ line }) => line).join('\n');
}

/** A database of the previous version: a backup's rows with the newest migrations undone. Dropped after `use`. */
export async function withOlder<T>(
  from: string,
  use: (older: MikroORM, url: string) => Promise<T>,
  makeDatabase: () => Promise<{ url: string; drop: () => Promise<void> }> = createDatabase,
): Promise<T> {
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

/** Writes a backup of the previous version. @returns the content that its database has after the update */
export function writeOlder(from: string, to: string): Promise<Record<string, string>> {
  return withOlder(from, async (older) => {
    await writeBackup(older, to);
    await older.migrator.up();
    return stateOf(older.em.fork());
  });
}

/** Polls the running product. @returns a function that stops and gives the number of answers and the longest wait */
export function visits(
  app: TestApp,
  email: string,
): () => Promise<{ asked: number; longestMs: number; faults: number }> {
  let ended = false;
  const seen = { asked: 0, longestMs: 0, faults: 0 };
  const run = (async () => {
    for (; !ended; seen.asked++) {
      const start = Date.now();
      const answers = await Promise.all([
        app.http().get('/api/health/ready'),
        app.http().post('/api/auth/login').send({ email, password: PASSWORD }),
      ]);
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

/** Runs the backfill of contact names now. Otherwise it would change rows half a minute after the first start. */
export const backfilled = (app: TestApp): Promise<void> => app.get(NamePartsBackfill).run();

/**
 * Waits for the backfill of profiles, which the restore of an older backup begins and which writes every ten seconds
 * until it is done.
 */
export const profilesMade = (app: TestApp): Promise<boolean> =>
  until(
    async () => (await rows(app.em(), `select 1 from contact_preparations where finished_at is null`)).length === 0,
  );

/** Creates a sent email, and grants to another role. */
export async function someData(app: TestApp): Promise<{ email: string }> {
  await backfilled(app);
  const user = await app.user();
  const list = await seedList(app, user, {
    addresses: Array.from({ length: 300 }, (_, i) => `p${i}@people.test`),
    name: 'Tab\there, line\nbreak, \\. and \u2028',
  });
  await settled(user, await send(user, list));
  await untilAccountSettled(app, user);
  await rows(
    app.em(),
    `do $$ begin if not exists (select 1 from pg_roles where rolname = 'restore_reader') then create role restore_reader; end if; end $$`,
  );
  await rows(
    app.em(),
    `grant select on email_lists to restore_reader; grant select (id, email) on users to restore_reader with grant option`,
  );
  return user;
}

/** Kinds of damage, each with the damaged file and the expected error. */
export type Damaged = [kind: string, file: string, message: RegExp][];

export async function refusesAll(app: TestApp, damaged: Damaged, email: string): Promise<void> {
  const before = await stateOf(app.em());
  const leave = visits(app, email);
  for (const [kind, file, message] of damaged) {
    await expect(
      restore(app.get(MikroORM), file, quiet).then(
        () => `${kind} was restored`,
        (error: Error) => error.message,
      ),
    ).resolves.toMatch(message);
    // A sign-in in the meantime stores a session, so sessions and audit events are not compared.
    expect({ kind, ...(await stateOf(app.em())), auth_sessions: '', audit_events: '' }).toEqual({
      kind,
      ...before,
      auth_sessions: '',
      audit_events: '',
    });
  }
  const { faults, asked } = await leave();
  expect(faults).toBe(0);
  // If visits had waited for the end of each attempt, there would be only as many visits as attempts.
  expect(asked).toBeGreaterThan(2 * damaged.length);
}
