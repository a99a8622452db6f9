import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../processes/ports.ts';
import { isAlive, makeCheckout, query, redis, remove, start, until, type Start } from './kit.ts';

const root = makeCheckout();
after(() => remove(root));

const allGone = (pids: Record<string, number>) =>
  until('everything it started is gone', () => !Object.values(pids).some(isAlive));

async function listening(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => server.close() };
}

async function endsWith(started: Start, code: number, message: RegExp): Promise<void> {
  assert.equal(await started.exitCode, code, started.output());
  assert.match(started.output(), message);
}

test('everything starts and prints its addresses last, a second start is refused, two Ctrl-C stop everything', async () => {
  const first = await start(root);
  await first.ready();
  const pids = first.pids();
  assert.deepEqual(Object.keys(pids).sort(), ['app', 'mailbox', 'postgres', 'redis', 'stripe']);
  assert.equal(first.output().trimEnd().split('\n').at(-1), `  Mailbox    http://localhost:${first.mailboxPort}`);
  assert.equal(statSync(join(root, '.data', 'run.json')).mode & 0o777, 0o600);
  const env = (await (await fetch(`http://127.0.0.1:${first.port}/env`)).json()) as Record<string, string>;
  assert.equal(env.STAFFCAST_EMBEDDED, 'postgres,redis,mailbox,stripe');
  assert.equal(env.APP_URL, `http://localhost:${first.port}`);
  await endsWith(await start(root), 1, /already runs on the data folder .*Set|already runs on the data folder/s);
  first.child.kill('SIGINT');
  first.child.kill('SIGINT');
  await endsWith(first, 0, /Stopping/);
  await allGone(pids);
});

test('an occupied PORT or MAILBOX_PORT is named, and no process is left running', async () => {
  const other = await listening();
  await endsWith(await start(root, { PORT: String(other.port) }), 1, /set PORT to another port/);
  await endsWith(await start(root, { MAILBOX_PORT: String(other.port) }), 1, /set MAILBOX_PORT to another port/);
  other.close();
});

test('a chosen port that another process takes before the start is chosen anew', async (t) => {
  const other = await listening();
  t.after(() => other.close());
  const taken = [await freePort(), other.port];
  const started = await start(root, {}, async () => taken.shift() ?? freePort());
  await started.ready();
  assert.notEqual(started.mailboxPort, other.port);
  started.child.kill('SIGTERM');
  await endsWith(started, 0, /Stopping/);
});

test('a failing app ends the start with exit code 1 and its own message', async () => {
  await endsWith(
    await start(root, { STUB: 'fails' }),
    1,
    /POSTAL_ADDRESS is required[\s\S]*did not start \(exit code 1\)/,
  );
  const started = await start(root);
  await started.ready();
  const pids = started.pids();
  await fetch(`http://127.0.0.1:${started.port}/crash`).catch(() => undefined);
  await endsWith(started, 1, /app ended unexpectedly \(exit code 3\)/);
  await allGone(pids);
});

test('PostgreSQL and Redis restart after a kill with the same address and data, without an app restart', async () => {
  const started = await start(root);
  await started.ready();
  const before = started.pids();
  const { databaseUrl, redisUrl } = JSON.parse(readFileSync(join(root, '.data', 'run.json'), 'utf8')) as Record<
    string,
    string
  >;
  await query(databaseUrl!, 'create table kept as select 7 as n');
  await redis(redisUrl!, 'SET kept seven');
  for (const name of ['postgres', 'redis']) process.kill(before[name] ?? 0, 'SIGKILL');
  for (const name of ['postgres', 'redis'])
    await until(`${name} is back`, () => started.output().includes(`${name} is back.`));
  assert.match(started.output(), /redis ended unexpectedly \(SIGKILL\)\. It is started again/);
  assert.deepEqual(await query(databaseUrl!, 'select n from kept'), [{ n: 7 }]);
  assert.match(await redis(redisUrl!, 'GET kept'), /seven/);
  const after = started.pids();
  assert.equal(after.app, before.app);
  assert.notEqual(after.postgres, before.postgres);
  assert.notEqual(after.redis, before.redis);
  started.child.kill('SIGTERM');
  await endsWith(started, 0, /Stopping/);
  await allGone({ ...before, ...after });
});

test('a part that keeps ending stops everything after a few restarts, with its name in the message', async () => {
  const started = await start(root);
  await started.ready();
  const seen = started.pids();
  let ended = false;
  void started.exitCode.then(() => {
    ended = true;
  });
  // eslint-disable-next-line staffcast/no-bare-wait -- the interval of a poll
  for (let killed = 0; !ended; await sleep(20)) {
    const pid = started.pids().redis ?? 0;
    if (pid === 0 || pid === killed || !isAlive(pid)) continue;
    process.kill(pid, 'SIGKILL');
    killed = pid;
  }
  await endsWith(started, 1, /redis ended unexpectedly again and was not brought back after 5 tries \(SIGKILL\)/);
  await allGone(seen);
});

test('no process survives a killed supervisor, and the next start succeeds', async () => {
  const killed = await start(root);
  await killed.ready();
  const pids = killed.pids();
  killed.child.kill('SIGKILL');
  await killed.exitCode;
  await allGone(pids);
  const next = await start(root);
  await next.ready();
  // A closed channel means that the launcher is gone.
  next.child.disconnect();
  assert.equal(await next.exitCode, 0, next.output());
});

test('production refuses embedded parts and names every missing or invalid setting at once', async () => {
  const started = await start(root, { NODE_ENV: 'production', PORT: 'abc', STUB: 'fails' });
  await endsWith(started, 1, /PORT must be a port number[\s\S]*DATABASE_URL[\s\S]*REDIS_URL[\s\S]*SMTP_URL/);
});
