import { gunzipSync, gzipSync } from 'node:zlib';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/index.js';
import { findPgProgram } from '../../../src/cli/backup/pg-programs.js';
import { readBackup } from '../../../src/cli/backup/read-backup.js';
import { writeBackup } from '../../../src/cli/backup/write-backup.js';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'staffcast-backup-'));
const file = join(folder, 'nightly.backup');

beforeAll(async () => void (app = await startApp()));
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const orm = () => app.get(MikroORM);
/** Every table's rows, as text, in one order. */
async function everything(): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(app.em(), `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations' order by 1`);
  const found: Record<string, string> = {};
  for (const { name } of tables) found[name] = (await rows<{ all: string | null }>(app.em(), `select string_agg(t::text, E'\\n' order by t::text) as all from ${name} t`))[0]!.all ?? '';
  return found;
}

describe('backup and restore', () => {
  it('bring back every row of every table as it was, and the product works on', async () => {
    const user = await app.user();
    const list = await seedList(app, user, { addresses: ['one@people.test', 'two@people.test', 'three@people.test'], name: 'Tab\there, line\nbreak, \\. and \u2028' });
    await settled(user, await send(user, list));
    const before = await everything();
    expect(await writeBackup(orm(), file)).toBeGreaterThan(10);

    const later = await app.user();
    await later.agent.post('/api/email-lists').send({ name: 'After the backup' }).expect(201);
    await rows(app.em(), 'delete from subscriptions');
    await readBackup(orm(), file);

    expect(await everything()).toEqual(before);
    await app.http().post('/api/auth/login').send({ email: later.email, password: PASSWORD }).expect(401);
    await app.http().post('/api/auth/login').send({ email: user.email, password: PASSWORD }).expect(200);
    await user.agent.post('/api/email-lists').send({ name: 'After the restore' }).expect(201);
  });

  it('of an older version get its schema first and the newer migrations afterwards', async () => {
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

  it('refuse a file that is cut off, newer, foreign or more than data, and change nothing', async () => {
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

  it('use pg_dump where it is at least as new as the server', () => {
    for (const [name, version] of [['old', '15.18 (Debian 15.18-0+deb12u1)'], ['new', '18.4']]) {
      rmSync(join(folder, name!), { recursive: true, force: true });
      writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\necho "pg_dump (PostgreSQL) ${version}"\n`, { mode: 0o755 });
      expect(findPgProgram('pg_dump', 18, [join(folder, 'nowhere'), folder])).toBe(name === 'new' ? join(folder, 'pg_dump') : undefined);
    }
  });
});
