import { mkdirSync, mkdtempSync, openSync, closeSync, rmSync, statSync, chownSync, writeSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../cluster/kit/processes.js';
import { onServer, urlOf } from './kit/database.js';
import { clean, judge } from './kit/oracle.js';
import { faults, IN_HANDS, many } from './kit/suite.js';
import type { Account, FaultWorld } from './kit/world.js';

/** Longest that somebody may wait for "not now", with room for a busy machine. */
const SOON_MS = 8_000;

/** Sockets that speak to a web instance as slowly as they like. */
class SlowClients {
  readonly sockets: { socket: Socket; closed: boolean; received: string }[] = [];
  private timer?: NodeJS.Timeout;

  constructor(private readonly port: number) {}

  async connect(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => new Promise<void>((connected) => {
      const one = { socket: connect(this.port, '127.0.0.1', () => connected()), closed: false, received: '' };
      one.socket.on('error', () => undefined).on('close', () => (one.closed = true));
      this.sockets.push(one);
    })));
  }

  listen(): void {
    for (const one of this.sockets) one.socket.on('data', (chunk) => (one.received = (one.received + chunk.toString('latin1')).slice(-100_000)));
  }

  /** Of this text, a byte each, again and again. */
  drip(text: string, everyMs: number): void {
    let at = 0;
    this.timer = setInterval(() => {
      for (const { socket, closed } of this.sockets) if (!closed) socket.write(text[at % text.length]!);
      at++;
    }, everyMs);
  }

  get closed(): number {
    return this.sockets.filter(({ closed }) => closed).length;
  }

  stop(): void {
    clearInterval(this.timer);
    for (const { socket } of this.sockets) socket.destroy();
  }
}

/** Others are answered while it lasts. */
async function othersAreAnswered(world: FaultWorld, account: Account): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.get('/api/email-lists?limit=5', account)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
}

/** A small disk for the database; undefined where this machine gives none. */
function smallDisk(megabytes: number): { path: string; fill: () => void; free: () => void; remove: () => void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'staffcast-disk-'));
  if (process.getuid?.() !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status !== 0) {
    rmSync(path, { recursive: true, force: true });
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (const block of [1 << 20, 1 << 12]) while (writes(file, block));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}

faults('limits that are reached', (fault) => {
  it('F24: clients that send or read slowly are let go; others are answered', async () => {
    const { world } = fault;
    await world.start({ workers: 0 });
    const account = await world.account();
    const port = world.webs[0]!.port;

    const headers = new SlowClients(port);
    await headers.connect(200);
    headers.listen();
    headers.drip('GET /api/health/live HTTP/1.1\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1000);
    await othersAreAnswered(world, account);
    await until('the slow ones are let go', () => headers.closed === 200, 20_000);
    headers.stop();

    const bodies = new SlowClients(port);
    await bodies.connect(50);
    bodies.listen();
    for (const { socket } of bodies.sockets) socket.write('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    bodies.drip('{"email":"', 300);
    await othersAreAnswered(world, account);
    await until('the slow ones are let go', () => bodies.closed === 50, 20_000);
    bodies.stop();

    const list = await world.list(account, many('person', 50_000));
    const readers = new SlowClients(port);
    await readers.connect(10);
    for (const { socket } of readers.sockets) socket.write(`GET /api/email-lists/${list}/subscribers HTTP/1.1\r\nHost: x\r\nCookie: ${account.cookie}\r\n\r\n`);
    for (const { socket } of readers.sockets) socket.pause();
    await othersAreAnswered(world, account);
    await pause(7000);
    await othersAreAnswered(world, account);
    readers.listen();
    for (const { socket } of readers.sockets) socket.resume();
    await until('the slow ones were let go', () => readers.closed === 10, 20_000);
    expect(readers.sockets.filter(({ received }) => received.endsWith('0\r\n\r\n'))).toEqual([]);
    readers.stop();
    expect(await world.webs[0]!.says('ready')).toBe(true);
  });

  it('F25: the database\'s disk is full: 503, workers stand still, and all goes on once there is room', async () => {
    const { world } = fault;
    const disk = smallDisk(96);
    if (!disk) return void console.warn('F25 skipped: no small disk can be mounted here (root on Linux can)');
    const name = `small_${process.pid}_${Date.now()}`;
    try {
      const place = join(disk.path, 'data');
      mkdirSync(place);
      await onServer(async (client) => {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        const { uid, gid } = statSync(rows[0]!.data_directory);
        chownSync(place, uid, gid);
        await client.query(`create tablespace ${name} location '${place}'`);
      });
      await world.start({ tablespace: name });
      const account = await world.account();
      world.sink.modes = { delayMs: 30 };
      await world.send(account, many('ok', 600));
      const list = await world.list(account, many('later', 1500));
      await until('mail goes out', () => world.arrived('ok') > 20);
      disk.fill();
      const asked = Date.now();
      const refused = await world.post('/api/send-email', world.mail(list), { account });
      expect([refused.status, refused.headers.get('retry-after') !== null, Date.now() - asked < SOON_MS]).toEqual([503, true, true]);
      await pause(2000);
      expect((await world.get('/api/email-lists', account)).status).toBe(200);
      for (const instance of [...world.webs, ...world.workers]) expect(await instance.says('live')).toBe(true);
      disk.free();
      world.sink.modes = {};
      await world.settled();
      await world.send(account, many('after', 20));
      await world.settled();
      const verdict = await judge(world);
      expect(verdict).toMatchObject(clean);
      expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
      expect(world.arrived('later')).toBe(0);
    } finally {
      disk.free();
      await world.stop();
      await onServer(async (client) => void (await client.query(`drop tablespace if exists ${name}`)));
      disk.remove();
    }
  });

  it('F25: a full disk behind the log costs lines, not the process', async () => {
    const { world } = fault;
    await world.start({ env: { LOG_LEVEL: 'debug' } });
    const account = await world.account();
    const full = openSync('/dev/full', 'w');
    try {
      const web = await world.addWeb({}, full);
      const worker = await world.addWorker({}, full);
      await Promise.all([web.ready(), worker.ready()]);
      await world.workers[0]!.stop('SIGTERM');
      await world.send(account, many('ok', 100), web);
      await world.settled();
      expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
      expect(await web.stop('SIGTERM')).toBe(0);
    } finally {
      closeSync(full);
    }
  });

  it('F26: the database takes no more connections, or all of them are held by slow queries: 503 soon, and no lease stays', async () => {
    const { world } = fault;
    await world.start({ role: `plain_${process.pid}_${Date.now()}` });
    const account = await world.account();
    world.sink.modes = { delayMs: 20 };
    await world.send(account, many('ok', 400));
    await until('mail goes out', () => world.arrived('ok') > 10);
    const limit = (connections: number): Promise<void> => onServer(async (client) => void (await client.query(`alter database ${world.database} connection limit ${connections}`)));
    await limit(0);
    await world.db.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'plain_%'`, [world.database]);
    let asked = Date.now();
    const full = await world.get('/api/email-lists', account);
    expect([full.status, Date.now() - asked < SOON_MS]).toEqual([503, true]);
    await pause(1500);
    await limit(-1);
    await until('it is answered again', async () => (await world.get('/api/email-lists', account)).status === 200);

    const slow = new pg.Client({ connectionString: urlOf(world.database).toString() });
    await slow.connect();
    await slow.query('begin; lock table email_lists in access exclusive mode');
    const waiting = Array.from({ length: 40 }, () => world.get('/api/email-lists', account));
    await until('every connection is taken', async () => (await world.db.query(`select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`, [world.database])).rows[0].n >= 19);
    asked = Date.now();
    const exhausted = await world.get('/api/auth/user', account);
    expect([exhausted.status, Date.now() - asked < SOON_MS]).toEqual([503, true]);
    await slow.query('rollback');
    await slow.end();
    const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await world.get('/api/email-lists', account)).status).toBe(200);
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
    expect((await world.db.query(`select 1 from email_delivery_logs where status = 'sending' or lease_until is not null`)).rowCount).toBe(0);
  });
});
