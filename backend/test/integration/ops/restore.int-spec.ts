import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { backUp, restore } from '../../../src/cli/backup/backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { entities } from '../../../src/entities.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { packagedPostgres, startPackagedPostgres } from '../../kit/postgres-client.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';
import { backfilled, profilesMade, quiet, shape, stateOf, visits, withOlder, writeOlder } from './restore-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';
import { until } from '../../kit/until.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-restore-'));
const programs = packagedPostgres();
let app: TestApp;
const orm = () => app.get(MikroORM);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = (em = app.em()) => stateOf(em);
const visitor = (email: string) => visits(app, email);

async function someData(): Promise<{ email: string }> {
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

/** Kinds of damage: the file, and the expected error. */
type Damaged = [kind: string, file: string, message: RegExp][];

async function refusesAll(damaged: Damaged, email: string): Promise<void> {
  const before = await everything();
  const leave = visitor(email);
  for (const [kind, file, message] of damaged) {
    await expect(
      restore(orm(), file, quiet).then(
        () => `${kind} was restored`,
        (error: Error) => error.message,
      ),
    ).resolves.toMatch(message);
    // A sign-in stores a session.
    expect({ kind, ...(await everything()), auth_sessions: '', audit_events: '' }).toEqual({
      kind,
      ...before,
      auth_sessions: '',
      audit_events: '',
    });
  }
  const { faults, asked } = await leave();
  expect(faults).toBe(0);
  // Visits that waited for the end of each try would be as many as the tries.
  expect(asked).toBeGreaterThan(2 * damaged.length);
}

describe('restore of the plain format', () => {
  let email: string;
  const file = join(folder, 'plain.backup');
  const olderFile = join(folder, 'older');
  let held: Promise<Record<string, string>> | undefined;
  /** Shared by both tests. @returns the content of that version's database */
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

  it('changes nothing where the file is truncated, damaged, or older or newer and damaged', async () => {
    const packed = readFileSync(file);
    const text = gunzipSync(packed).toString();
    await olderOnce();
    const older = gunzipSync(readFileSync(olderFile)).toString();
    const middle = text.indexOf('p200@people.test');
    const flipped = Buffer.from(packed);
    flipped[Math.floor(flipped.length / 2)]! ^= 0xff;
    const sum = Buffer.from(packed);
    sum[sum.length - 6]! ^= 0xff;
    await refusesAll(
      [
        ['cut in the middle of a table', written('cut', text.slice(0, middle)), /too early/],
        ['cut after a whole row', written('cut-row', text.slice(0, text.lastIndexOf('\n', middle) + 1)), /too early/],
        [
          'the packed file cut',
          written('packed', packed.subarray(0, Math.floor(packed.length * 0.6))),
          /damaged|too early/,
        ],
        ['without its last lines', written('endless', text.slice(0, text.indexOf('\n-- end'))), /too early/],
        ['older, cut', written('older-cut', older.slice(0, older.indexOf('p200@people.test'))), /too early/],
        [
          'older, without its last lines',
          written('older-endless', older.slice(0, older.indexOf('\n-- end'))),
          /too early/,
        ],
        [
          'newer',
          written('newer', text.replace('-- migrations: ', '-- migrations: Migration20991231000000_later ')),
          /newer version/,
        ],
        [
          'a flipped byte',
          written('flipped', flipped),
          /damaged|too early|not its to hold|invalid|missing|extra data|syntax|malformed|encoding/,
        ],
        ['a wrong checksum', written('sum', sum), /damaged/],
        [
          'rows that refer to nothing',
          written('orphans', text.replace(/(COPY public\."users"[^\n]*\n)[\s\S]*?(\n\\\.\n)/, '$1\\.\n')),
          /foreign key|violates/,
        ],
        ['more than data', written('code', text.replace('\n-- end', '\ndrop table users;\n-- end')), /not its to hold/],
      ],
      email,
    );
  }, 600_000);

  it('of an older version migrates it while the product keeps answering', async () => {
    // Grants come from the live schema, not from the file.
    const before = { ...(await olderOnce()), shape: await shape(app.em()) };
    await app.user();
    const leave = visitor(email);
    await restore(orm(), olderFile, quiet);
    const { faults, longestMs, asked } = await leave();
    process.stderr.write(`${asked} visits during a restore, the longest ${longestMs} ms\n`);
    expect(faults).toBeLessThanOrEqual(2);
    const after = await everything();
    expect({ ...after, auth_sessions: '', audit_events: '', mikro_orm_migrations: '' }).toEqual({
      ...before,
      auth_sessions: '',
      audit_events: '',
      mikro_orm_migrations: '',
    });
    await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const user = await app.user();
    await settled(
      user,
      await send(user, await seedList(app, user, { addresses: ['after@people.test'], name: 'after' })),
    );
    await untilAccountSettled(app, user);
    const grants = await rows(
      app.em(),
      `select 1 where has_table_privilege('restore_reader', 'email_lists', 'select') and has_column_privilege('restore_reader', 'users', 'email', 'select with grant option') and not has_table_privilege('restore_reader', 'users', 'select')`,
    );
    expect(grants).toHaveLength(1);
  }, 600_000);

  it('does not touch what another running restore has built', async () => {
    const running = new pg.Client({ connectionString: app.settings.databaseUrl });
    await running.connect();
    try {
      await running.query('select pg_advisory_lock(727003)');
      await running.query('create schema staffcast_restore');
      await running.query('create table staffcast_restore.loaded as select 1 as n');
      await expect(restore(orm(), file, quiet)).rejects.toThrow('another restore is running');
      expect((await running.query('select n from staffcast_restore.loaded')).rows).toEqual([{ n: 1 }]);
    } finally {
      await running.query('drop schema if exists staffcast_restore cascade');
      await running.end();
    }
  });

  it('does not wait for other sessions before the swap, and gives up where a table stays locked', async () => {
    await profilesMade(app);
    await writeBackup(orm(), file);
    const before = await everything();
    const holder = await (await orm().em.getConnection().getNativeClient()).connect();
    await holder.query('begin');
    await holder.query('select 1 from users limit 1');
    const done = restore(orm(), file, quiet);
    await until(
      'the swap waits for the session',
      async () =>
        (
          await rows(
            app.em(),
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    await holder.query('commit');
    holder.release();
    await done;
    expect({ ...(await everything()), mikro_orm_migrations: '' }).toEqual({ ...before, mikro_orm_migrations: '' });
  }, 600_000);
});

(programs ? describe : describe.skip)("restore of pg_dump's custom format", () => {
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
  }, 600_000);
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  /** A dump of the same data with another migrations table. */
  async function dumpWith(name: string, change: string, back: string): Promise<string> {
    await rows(app.em(), change);
    try {
      return dump(name, server.url);
    } finally {
      await rows(app.em(), back);
    }
  }

  /** A second database on the packaged server, which has pg_dump. */
  async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
    await rows(app.em(), 'create database older');
    const url = new URL(server.url);
    url.pathname = '/older';
    const made = await MikroORM.init(ormConfig(url.toString(), entities));
    await made.migrator.up();
    await made.close(true);
    return {
      url: url.toString(),
      drop: async () => void (await rows(app.em(), 'drop database if exists older with (force)')),
    };
  }

  function dump(name: string, url: string): string {
    const path = join(folder, name);
    const { status, stderr } = spawnSync(
      join(programs!, 'pg_dump'),
      ['--format=custom', '--no-owner', '--file', path, url],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return path;
  }

  it('changes nothing where the file is truncated, damaged, or older or newer and damaged', async () => {
    const older = await withOlder(file, async (_, url) => dump('c-older-whole', url), emptyDatabase);
    const newer = await dumpWith(
      'c-newer',
      `insert into mikro_orm_migrations (name) values ('Migration20991231000000_later')`,
      `delete from mikro_orm_migrations where name = 'Migration20991231000000_later'`,
    );
    const cut = (name: string, from: string, part: number): string => {
      const packed = readFileSync(from);
      writeFileSync(
        join(folder, name),
        packed.subarray(0, part < 0 ? packed.length + part : Math.floor(packed.length * part)),
      );
      return join(folder, name);
    };
    const flip = (name: string, part: number): string => {
      const packed = Buffer.from(readFileSync(file));
      packed[Math.floor(packed.length * part)]! ^= 0xff;
      writeFileSync(join(folder, name), packed);
      return join(folder, name);
    };
    await refusesAll(
      [
        ['cut in the middle of a table', cut('c-cut', file, 0.9), /damaged|too early|no backup/],
        ['without its last bytes', cut('c-end', file, -20), /damaged|too early|no backup/],
        ['cut in its table of contents', cut('c-toc', file, 0.2), /damaged|too early|no backup/],
        ['older, cut', cut('c-older-cut', older, 0.9), /damaged|too early|no backup/],
        ['older, without its last bytes', cut('c-older-end', older, -20), /damaged|too early|no backup/],
        ['newer', newer, /newer version/],
        [
          'a flipped byte',
          flip('c-flip', 0.93),
          /damaged|too early|no backup|not its to hold|invalid|missing|extra data/,
        ],
      ],
      email,
    );
  });

  it('restores every row unchanged while the product keeps answering', async () => {
    await backUp(orm(), server.url, file, quiet);
    const before = await everything();
    const later = await app.user();
    const leave = visitor(email);
    await restore(orm(), file, quiet);
    const { faults, longestMs, asked } = await leave();
    process.stderr.write(`${asked} visits during a restore, the longest ${longestMs} ms\n`);
    expect(faults).toBeLessThanOrEqual(2);
    expect({ ...(await everything()), auth_sessions: '', audit_events: '', mikro_orm_migrations: '' }).toEqual({
      ...before,
      auth_sessions: '',
      audit_events: '',
      mikro_orm_migrations: '',
    });
    await app.http().post('/api/auth/login').send({ email: later.email, password: PASSWORD }).expect(401);
  }, 600_000);
});
