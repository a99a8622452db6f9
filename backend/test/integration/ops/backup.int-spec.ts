import { gunzipSync, gzipSync } from 'node:zlib';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/index.js';
import { backUpFiles, restoreFiles } from '../../../src/cli/backup/file-backup.js';
import { findPgProgram } from '../../../src/cli/backup/pg-programs.js';
import { readBackup } from '../../../src/cli/backup/read-backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { JPEG, PNG } from '../../kit/samples/pictures.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';
import { backfilled } from './restore-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'staffcast-backup-'));
const file = join(folder, 'nightly.backup');

beforeAll(async () => {
  app = await startApp();
  // Runs the backfill now, because the rows that it writes later would appear as differences.
  await backfilled(app);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const orm = () => app.get(MikroORM);
/** The rows of every table as sorted text. */
async function everything(): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    app.em(),
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables)
    found[name] =
      (
        await rows<{ all: string | null }>(
          app.em(),
          `select string_agg(t::text, E'\\n' order by t::text) as all from ${name} t`,
        )
      )[0]!.all ?? '';
  return found;
}

describe('backup and restore', () => {
  it('restore every row of every table unchanged, and the product works', async () => {
    const user = await app.user();
    const list = await seedList(app, user, {
      addresses: ['one@people.test', 'two@people.test', 'three@people.test'],
      name: 'Tab\there, line\nbreak, \\. and \u2028',
    });
    await settled(user, await send(user, list));
    await untilAccountSettled(app, user);
    const before = await everything();
    expect(await writeBackup(orm(), file)).toBeGreaterThan(10);

    const later = await app.user();
    await later.agent.post('/api/email-lists').send({ name: 'After the backup' }).expect(201);
    await untilAccountSettled(app, later);
    await rows(app.em(), 'delete from subscriptions');
    await readBackup(orm(), file);

    expect(await everything()).toEqual(before);
    await app.http().post('/api/auth/login').send({ email: later.email, password: PASSWORD }).expect(401);
    await app.http().post('/api/auth/login').send({ email: user.email, password: PASSWORD }).expect(200);
    await user.agent.post('/api/email-lists').send({ name: 'After the restore' }).expect(201);
  });

  it("apply an older version's schema first and the newer migrations afterwards", async () => {
    const before = await everything();
    await writeBackup(orm(), file);
    const text = gunzipSync(readFileSync(file)).toString();
    const older = join(folder, 'older.backup');
    const names = migrations.map(({ name }) => name).sort();
    const [all] = /-- migrations: .*/.exec(text)!;
    const oldest = text.slice(0, text.indexOf('\nCOPY')).replace(all, `-- migrations: ${names[0]}`);
    writeFileSync(older, gzipSync(`${oldest}\n-- end of the backup\n`));
    await readBackup(orm(), older);
    expect((await everything()).users).toBe('');
    await readBackup(orm(), file);
    expect(await everything()).toEqual(before);
  });

  it('refuse a truncated, newer or foreign file, or one with more than data, without a change', async () => {
    const before = await everything();
    const text = gunzipSync(readFileSync(file)).toString();
    const attempts: [string, string, RegExp][] = [
      ['cut', text.slice(0, Math.floor(text.length * 0.7)), /too early|not its to hold|missing data|invalid/],
      ['without its end', text.slice(0, text.indexOf('\n-- end')), /too early/],
      ['newer', text.replace('-- migrations: ', '-- migrations: Migration20991231000000_later '), /newer version/],
      ['foreign', 'create table x ();', /no backup/],
      ['code', text.replace('\n-- end', '\ndrop table users;\n-- end'), /not its to hold/],
    ];
    for (const [name, content, message] of attempts) {
      const path = join(folder, name);
      writeFileSync(path, gzipSync(content));
      await expect(readBackup(orm(), path)).rejects.toThrow(message);
    }
    await expect(readBackup(orm(), join(folder, 'missing'))).rejects.toThrow();
    expect(await everything()).toEqual(before);
  });

  it('include the uploaded files, and report missing ones', async () => {
    const user = await app.user();
    const upload = async (bytes: Buffer) =>
      (
        await user.agent
          .post('/api/files')
          .set('Sec-Fetch-Site', 'same-origin')
          .field('kind', 'image')
          .attach('file', bytes, 'x')
          .expect(201)
      ).body.url as string;
    const filesDir = app.settings.filesDir!;
    const said: string[] = [];
    const say = (text: string): number => said.push(text) * 0;
    const [png, jpeg] = [new URL(await upload(PNG)).pathname, new URL(await upload(JPEG)).pathname];
    expect(await backUpFiles(filesDir, file, say)).toBe(0);
    expect(said.pop()).toBe(`Uploaded files in ${file}.files: 2.`);
    rmSync(filesDir, { recursive: true });
    await app.http().get(png).expect(404);
    expect(await restoreFiles(orm(), filesDir, file, say)).toBe(0);
    expect(said).toEqual([`Uploaded files from ${file}.files: 2.`]);
    for (const path of [png, jpeg]) await app.http().get(path).expect(200);
    rmSync(`${file}.files`, { recursive: true });
    rmSync(filesDir, { recursive: true });
    await restoreFiles(orm(), filesDir, file, say);
    expect(said.pop()).toMatch(/^Uploaded files that are missing: 2; there is no /);
    await backUpFiles(filesDir, file, say);
    expect(said.pop()).toBe(`Uploaded files in ${file}.files: 0.`);
  });

  it('skip a file that is deleted while they are copied', async () => {
    const source = join(folder, 'busy');
    const target = join(folder, 'busy.backup');
    const draft = `${target}.files.part/pictures`;
    mkdirSync(join(source, 'pictures'), { recursive: true });
    const paths = Array.from({ length: 500 }, (_, n) => join(source, 'pictures', `${n}.png`));
    for (const path of paths) writeFileSync(path, PNG);
    const copied = () => (existsSync(draft) ? readdirSync(draft).length : 0);
    const done = backUpFiles(source, target, () => 0);
    done.catch(() => undefined);
    while (copied() === 0) await nextTurn();
    for (const path of paths) rmSync(path);
    expect(await done).toBe(0);
    const kept = readdirSync(`${target}.files/pictures`);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(paths.length);
  });

  it('by root give restored files to the owner of the nearest existing folder', async () => {
    const isRoot = process.getuid?.() === 0;
    const home = join(folder, 'home');
    mkdirSync(home);
    if (isRoot) chownSync(home, 1234, 1235);
    const picture = join(`${file}.files`, 'pictures', 'x.png');
    mkdirSync(join(picture, '..'), { recursive: true });
    writeFileSync(picture, PNG);
    await restoreFiles(orm(), join(home, 'data/files'), file, () => 0);
    const { uid, gid } = statSync(home);
    for (const path of ['data', 'data/files', 'data/files/pictures', 'data/files/pictures/x.png'])
      expect(statSync(join(home, path))).toMatchObject({ uid, gid });
    expect(statSync(folder).uid).toBe(process.getuid?.());
  });

  it('use pg_dump where it is at least as new as the server', () => {
    for (const [name, version] of [
      ['old', '15.18 (Debian 15.18-0+deb12u1)'],
      ['new', '18.4'],
    ]) {
      rmSync(join(folder, name!), { recursive: true, force: true });
      writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\necho "pg_dump (PostgreSQL) ${version}"\n`, { mode: 0o755 });
      expect(findPgProgram('pg_dump', 18, [join(folder, 'nowhere'), folder])).toBe(
        name === 'new' ? join(folder, 'pg_dump') : undefined,
      );
    }
  });
});
