import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { restore } from '../../../src/cli/backup/backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';
import { profilesMade, quiet, refusesAll, shape, someData, stateOf, visits, writeOlder } from './restore-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';
import { until } from '../../kit/until.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-restore-'));
let app: TestApp;
const orm = () => app.get(MikroORM);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = (em = app.em()) => stateOf(em);
const visitor = (email: string) => visits(app, email);

describe('restore of the plain format', () => {
  let email: string;
  const file = join(folder, 'plain.backup');
  const olderFile = join(folder, 'older');
  let held: Promise<Record<string, string>> | undefined;
  /** Writes the backup of the older version once, for both tests. @returns the content of that version's database */
  const olderOnce = () => (held ??= writeOlder(file, olderFile));
  const written = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? gzipSync(content) : content);
    return path;
  };

  beforeAll(async () => {
    app = await startApp();
    ({ email } = await someData(app));
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
      app,
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
    // Grants are taken from the live schema and not from the file.
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
