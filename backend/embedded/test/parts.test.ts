import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { STATE_DIR } from '../../../scripts/lib/paths.mjs';
import { killCommands, runCommand } from '../processes/command.ts';
import { startMailbox } from '../mailbox/mailbox.ts';
import { freePort, isPortFree } from '../processes/ports.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { installCommand } from '../redis/redis-program.ts';
import { startRedis } from '../redis/redis.ts';
import { isAlive, newRun, query, redis, remove, tempFolder, until } from './kit.ts';

const folder = tempFolder();
const run = newRun(folder);
after(async () => {
  await run.stop();
  remove(folder);
});

test('PostgreSQL starts as this user and keeps its data over a restart and after a crash that left a pid file', async () => {
  const home = join(folder, 'durable');
  const first = await startPostgres(run.context, { home });
  await query(first.url, 'create table kept (id int)');
  const extensions = await query(first.url, 'select extname from pg_extension');
  for (const name of ['pg_trgm', 'citext', 'pgcrypto'])
    assert.ok(
      extensions.some((row) => row.extname === name),
      name,
    );
  assert.deepEqual(await query(first.url, 'show server_encoding'), [{ server_encoding: 'UTF8' }]);
  assert.equal(statSync(join(home, 'password')).mode & 0o777, 0o600);
  await first.stop();
  assert.equal(isAlive(first.part.pid), false);
  writeFileSync(join(home, 'data', 'postmaster.pid'), `${process.pid}\n`);
  const second = await startPostgres(run.context, { home });
  assert.deepEqual(await query(second.url, 'select count(*)::int as n from kept'), [{ n: 0 }]);
  await assert.rejects(query(second.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), /password authentication failed/);
  await second.stop();
});

test('root without user namespaces runs PostgreSQL as another user', { skip: process.getuid?.() !== 0 }, async () => {
  const service = await startPostgres(run.context, {
    home: join(folder, 'nobody'),
    throwaway: true,
    namespaces: () => false,
  });
  assert.notEqual(statSync(`/proc/${service.part.pid}`).uid, 0);
  assert.deepEqual(await query(service.url, 'select 1 as one'), [{ one: 1 }]);
  await service.stop();
});

test('Redis starts with persistence and a password', async () => {
  const service = await startRedis(run.context, { home: join(folder, 'redis'), cacheDirs: [STATE_DIR], say: () => {} });
  assert.match(await redis(service.url.replace(/:[^:@]+@/, ''), 'PING'), /NOAUTH/);
  assert.match(
    await redis(service.url, 'CONFIG GET appendonly', 'CONFIG GET maxmemory-policy'),
    /yes[\s\S]*noeviction/,
  );
  await service.stop();
  assert.equal(isAlive(service.part.pid), false);
});

test('without any Redis, the error names the install command of this system', () => {
  assert.equal(installCommand('linux', 'ID=ubuntu\nID_LIKE=debian'), 'sudo apt-get install redis-server');
  assert.equal(installCommand('linux', 'ID=fedora'), 'sudo dnf install valkey');
  assert.equal(installCommand('darwin', ''), 'brew install redis');
});

test('killCommands ignores a command whose program was not found', async (context) => {
  const kill = context.mock.method(ChildProcess.prototype, 'kill', () => true);
  const missing = runCommand('no-such-program', []);
  killCommands();
  assert.equal((await missing).code, 127);
  assert.equal(kill.mock.callCount(), 0);
});

test('the mailbox catches mail, finds it by recipient and keeps it over a restart', async () => {
  const options = { home: join(folder, 'mailbox'), port: await freePort(), appHost: 'mail.example' };
  const page = `http://127.0.0.1:${options.port}`;
  const first = await startMailbox(run.context, options);
  await sendMail(Number(new URL(first.url).port), 'ann@example.com');
  const find = async () =>
    (await (await fetch(`${page}/api/email?to.address=ann@example.com`)).json()) as { subject: string; text: string }[];
  await until('the mail is listed', async () => (await find()).length === 1);
  assert.equal((await fetch(`${page}/`)).headers.get('content-type'), 'text/html');
  const foreign = await fetch(`${page}/api/email`, { headers: { origin: 'http://elsewhere.example' } });
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
  for (const [host, status] of [
    ['evil.example', 421],
    [`evil.example:${options.port}`, 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    [`LOCALHOST:${options.port}`, 200],
    ['[::1]', 200],
    ['mail.example', 200],
  ] as const) {
    assert.equal(await statusFor(options.port, host), status, host);
  }
  await first.stop();
  const second = await startMailbox(run.context, options);
  const [mail] = await find();
  assert.equal(mail?.subject, 'Hello');
  assert.match(mail?.text ?? '', /line one/);
  await second.stop();
  assert.equal(await isPortFree(options.port), true);
});

/** Status of the response to a request with this Host header. */
function statusFor(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/api/email', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });
}

/** Minimal SMTP client: submits one message. */
function sendMail(port: number, to: string): Promise<void> {
  const lines = [
    'EHLO test',
    'MAIL FROM:<a@example.com>',
    `RCPT TO:<${to}>`,
    'DATA',
    `From: a@example.com\r\nTo: ${to}\r\nSubject: Hello\r\n\r\nline one\r\n.`,
    'QUIT',
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      if (/^\d{3} /m.test(chunk.toString())) socket.write(`${lines.shift() ?? ''}\r\n`);
    });
  });
}
