import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../kit/until.js';
import { onServer, urlOf } from './kit/database.js';
import { clean, judge } from './kit/oracle.js';
import { SlowClients } from './kit/slow-clients.js';
import { SmallDisk } from './kit/small-disk.js';
import { faults, MAX_IN_FLIGHT, many } from './kit/suite.js';
import type { Account } from './kit/world-settings.js';
import type { FaultWorld } from './kit/world.js';

/** Time for which a connection may stay silent. Honest clients get their answers sooner, even on a busy machine. */
const SILENCE_MS = 4_000;
/** Silence of this length means that the server waits for the clients to read and not for its own work. */
const STALLED_MS = 2_500;

/** Asserts that other requests are answered meanwhile. */
async function othersAreAnswered(world: FaultWorld, account: Account): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.get('/api/email-lists?limit=5', account)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
}

/** More bytes than any refusal has, so that a client with this many is receiving a download. */
const PART_OF_A_DOWNLOAD = 16 * 1024;

/**
 * Waits until each open connection has received data and none has received more for a while, or until the server has
 * closed all of them in the middle of their downloads.
 */
async function untilStalled(readers: SlowClients): Promise<void> {
  let [last, since] = ['', Date.now()];
  const most = readers.sockets.map(() => 0);
  await until("the slow readers' streams stand still", () => {
    const ends = readers.serverEnds();
    ends.forEach(({ untaken }, i) => (most[i] = Math.max(most[i]!, untaken)));
    const held = ends.filter(({ open }) => open);
    if (held.length === 0) return most.every((bytes) => bytes > PART_OF_A_DOWNLOAD);
    const now = held.map(({ untaken }) => untaken).join();
    if (now !== last) [last, since] = [now, Date.now()];
    return held.every(({ untaken }) => untaken > 0) && Date.now() - since > STALLED_MS;
  });
}

faults('reached limits', (fault) => {
  it('clients that send or read slowly are disconnected; others are answered', async () => {
    const { world } = fault;
    await world.start({
      workers: 0,
      env: {
        FAULT_HTTP: JSON.stringify({
          headersMs: 2_000,
          requestMs: 4_000,
          silenceMs: SILENCE_MS,
          checkIntervalMs: 500,
          // `fetch` does not reuse a connection that the server keeps for only 1 s, so no call meets one that is being closed.
          keepAliveMs: 1_000,
        }),
      },
    });
    const account = await world.account();
    const list = await world.list(account, many('person', 50_000));
    const [headers, bodies, readers] = Array.from({ length: 3 }, () => new SlowClients(world.webs[0]!.port)) as [
      SlowClients,
      SlowClients,
      SlowClients,
    ];
    try {
      await headers.connect(200);
      headers.drip('GET /api/health/live HTTP/1.1\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1000);
      await bodies.connect(
        50,
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
      );
      bodies.drip('{"email":"', 300);
      // There are more downloads than database connections. Each has 9 MB, of which kernel buffers hold 4.
      await readers.connect(
        30,
        `GET /api/email-lists/${list}/subscribers HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${account.cookie}\r\n\r\n`,
        { reads: false },
      );
      await othersAreAnswered(world, account);
      await until('slow headers and bodies are let go', () => headers.closed + bodies.closed === 250);
      await othersAreAnswered(world, account);
      await untilStalled(readers);
      await until('slow readers are let go while they take nothing', () =>
        readers.serverEnds().every(({ open }) => !open),
      );
      readers.read();
      await until('what was written for them ends', () => readers.closed === 30);
      expect(readers.sockets.filter(({ tail }) => tail.endsWith('0\r\n\r\n'))).toEqual([]);
      await othersAreAnswered(world, account);
    } finally {
      for (const clients of [headers, bodies, readers]) clients.stop();
    }
  });

  it("while the database's disk is full, the answer is 503 and workers pause; all continues once there is space", async () => {
    const { world } = fault;
    const disk = SmallDisk.mount(96);
    if (!disk) return void console.warn('skipped: no small disk can be mounted here (root on Linux can)');
    try {
      await disk.offer();
      // DATA_DIR is on the full disk as well, so the workers' files find no space either.
      await world.start({ tablespace: disk.tablespace, env: { DATA_DIR: disk.folder } });
      const account = await world.account();
      world.sink.modes = { delayMs: 30 };
      await world.send(account, many('ok', 600));
      const list = await world.list(account, many('later', 1900));
      await until('mail goes out', () => world.arrived('ok') > 20);
      disk.fill();
      // This answer comes while the disk is full.
      const refused = await world.post('/api/send-email', world.mail(list), { account });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
      // eslint-disable-next-line staffcast/no-bare-wait -- the length of the outage
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
      expect(verdict.extraCopies).toBeLessThanOrEqual(MAX_IN_FLIGHT);
      expect(world.arrived('later')).toBe(0);
    } finally {
      disk.free();
      await world.stop();
      await disk.remove();
    }
  });

  it('a full disk under the log loses lines but does not end the process', async () => {
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

  it('where the database has no free connection, the answer is 503 before one is free again, and no lease stays', async () => {
    const { world } = fault;
    await world.start({ role: `plain_${process.pid}_${Date.now()}` });
    const account = await world.account();
    world.sink.modes = { delayMs: 20 };
    await world.send(account, many('ok', 400));
    await until('mail goes out', () => world.arrived('ok') > 10);
    const limit = (connections: number): Promise<void> =>
      onServer(
        async (client) => void (await client.query(`alter database ${world.database} connection limit ${connections}`)),
      );
    await limit(0);
    await world.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'plain_%'`,
      [world.database],
    );
    // This answer comes while no database connection is available.
    expect((await world.get('/api/email-lists', account)).status).toBe(503);
    // eslint-disable-next-line staffcast/no-bare-wait -- the length of the outage
    await pause(1500);
    await limit(-1);
    await until('it is answered again', async () => (await world.get('/api/email-lists', account)).status === 200);

    const slow = new pg.Client({ connectionString: urlOf(world.database).toString() });
    slow.on('error', () => undefined);
    await slow.connect();
    await slow.query('begin; lock table email_lists in access exclusive mode');
    const statuses = new Set<number>();
    let isLocked = true;
    // Each client repeats its call, so that the connections stay in use however long this process takes.
    const waiting = Promise.all(
      Array.from({ length: 40 }, async () => {
        while (isLocked) statuses.add((await world.get('/api/email-lists', account)).status);
      }),
    );
    waiting.catch(() => undefined);
    // Calls that wait for the table keep all connections until they are refused themselves.
    await until(
      'another call is refused while the table is locked',
      async () => (await world.get('/api/auth/user', account)).status === 503,
    );
    isLocked = false;
    await slow.query('rollback');
    await slow.end();
    await waiting;
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await world.get('/api/email-lists', account)).status).toBe(200);
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    expect(
      (await world.db.query(`select 1 from email_delivery_logs where status = 'sending' or lease_until is not null`))
        .rowCount,
    ).toBe(0);
  });
});
