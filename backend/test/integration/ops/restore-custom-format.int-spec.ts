import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { backUp, restore } from '../../../src/cli/backup/backup.js';
import { entities } from '../../../src/entities.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { packagedPostgres, startPackagedPostgres } from '../../kit/postgres-client.js';
import { PASSWORD } from '../../kit/users.js';
import { quiet, refusesAll, someData, stateOf, visits, withOlder } from './restore-support.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-restore-'));
const programs = packagedPostgres();
let app: TestApp;
const orm = () => app.get(MikroORM);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = (em = app.em()) => stateOf(em);
const visitor = (email: string) => visits(app, email);

(programs ? describe : describe.skip)("restore of pg_dump's custom format", () => {
  let email: string;
  let server: Awaited<ReturnType<typeof startPackagedPostgres>>;
  const file = join(folder, 'custom.backup');

  beforeAll(async () => {
    server = await startPackagedPostgres(programs!);
    const made = await MikroORM.init(ormConfig(server.url, entities));
    await made.close(true);
    app = await startApp({ env: { DATABASE_URL: server.url } });
    ({ email } = await someData(app));
    await backUp(orm(), server.url, file, quiet);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('PGDMP');
  }, 600_000);
  afterAll(async () => {
    await app.close();
    await server.stop();
  });

  /** Dumps the same data with a changed migrations table. */
  async function dumpWith(name: string, change: string, back: string): Promise<string> {
    await rows(app.em(), change);
    try {
      return dump(name, server.url);
    } finally {
      await rows(app.em(), back);
    }
  }

  /** Creates another database on the packaged server, which has pg_dump. */
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
      app,
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
