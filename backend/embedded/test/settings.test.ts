import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { appEnv } from '../app.ts';
import { readSettings } from '../settings.ts';
import { remove, tempFolder } from './kit.ts';

const root = tempFolder();
after(() => remove(root));

test('without any setting everything is embedded, at the default addresses', () => {
  const settings = readSettings(root, {});
  assert.deepEqual(settings.embedded, ['postgres', 'redis', 'mailbox', 'stripe']);
  assert.deepEqual([settings.port, settings.mailboxPort, settings.appUrl], [3000, 8025, 'http://localhost:3000']);
  assert.equal(settings.dataDir, join(root, '.data'));
  assert.deepEqual(settings.problems, []);
});

test('a setting replaces its embedded part; the environment overrides .env; an empty value counts as absent', () => {
  writeFileSync(
    join(root, '.env'),
    'DATABASE_URL=postgres://db/a\nPORT=4000\nMAIL_FROM="a b <a@b.c>"\nREDIS_URL=redis://file\n',
  );
  const settings = readSettings(root, { PORT: '4100', REDIS_URL: '', SMTP_URL: 'smtp://relay' });
  assert.deepEqual(settings.embedded, []);
  assert.equal(settings.port, 4100);
  const env = appEnv(settings, { databaseUrl: settings.given.postgres });
  assert.equal(env.MAIL_FROM, 'a b <a@b.c>');
  assert.equal(env.DATABASE_URL, 'postgres://db/a');
  assert.equal(env.MAILBOX_URL, undefined);
});

test('invalid and equal ports are reported', () => {
  assert.match(
    readSettings(root, { PORT: 'x', MAILBOX_PORT: '70000' }).problems.join(),
    /PORT must.*MAILBOX_PORT must/,
  );
  writeFileSync(join(root, '.env'), '');
  assert.match(readSettings(root, { PORT: '8025' }).problems.join(), /both 8025/);
});
