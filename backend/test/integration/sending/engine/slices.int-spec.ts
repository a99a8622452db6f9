import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DeliveryBacklogs } from '../../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { splitSlots } from '../../../../src/modules/delivery/throttling/backlogs/slot-split.js';
import { DeliverRange } from '../../../../src/modules/delivery/batches/deliver-range.job.js';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { SendLoader } from '../../../../src/modules/delivery/batches/send-loader.service.js';
import { RangeLeases } from '../../../../src/modules/delivery/scheduling/range-leases.service.js';
import { DeliveryScheduler } from '../../../../src/modules/delivery/scheduling/delivery-scheduler.service.js';
import { ProviderThrottles } from '../../../../src/modules/delivery/throttling/provider-throttles.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../../kit/app.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, settled, startSending } from '../support.js';
import { until } from '../../../kit/until.js';

const pro = { set: { tier: 'pro' } };
const named = (prefix: string, count: number, domain = 'turns.test') =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);
const started: TestApp[] = [];
async function start(
  tuning: Parameters<typeof startSending>[0] = {},
  options: Parameters<typeof startSending>[1] = {},
): Promise<TestApp> {
  const app = await startSending({ sweepMs: 600_000, backlogPollMs: 600_000, ...tuning }, options);
  started.push(app);
  return app;
}
let app: TestApp;
beforeAll(async () => {
  app = await start({ range: 100, claim: 100, smallSend: 30 });
});
afterEach(async () => {
  while (started.length > 1) await started.pop()!.close();
});
afterAll(() => app.close());

const charged = async (user: SignedUp): Promise<number> =>
  (await rows<{ n: number }>(app.em(), `select virtual_time as n from delivery_shares where user_id = ?`, [user.id]))[0]
    ?.n ?? 0;

/** Ranges of a send without messages; small sends have one range. */
async function queueRanges(user: SignedUp, recipients: number): Promise<string> {
  const id = randomUUID();
  await rows(
    app.em(),
    `insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, usage_date, content_hash, sender_name, reply_to) values (?, ?, 'Turns', 'Hello', 'job-post', ?, 'pending', current_date, 'hash', 'Ann', 'ann@turns.test')`,
    [id, user.id, recipients],
  );
  await rows(
    app.em(),
    `insert into delivery_ranges (history_id, first_position, last_position, next_position) select ?::uuid, n, least(n + 99, ?::int), n from generate_series(1, ?::int, 100) n`,
    [id, recipients, recipients],
  );
  return id;
}

describe('a slice', () => {
  it('is given to the account with the lowest virtual time in the database, for small and for large sends', async () => {
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause(true, true);
    try {
      const users = await Promise.all(Array.from({ length: 7 }, () => app.user(pro)));
      const ids: string[] = [];
      for (const [i, user] of users.entries()) {
        if (i < 3) ids.push(await queueRanges(user, 10_000));
        else for (let n = 0; n < 150; n++) ids.push(await queueRanges(user, 30));
      }
      const scheduler = new DeliveryScheduler(app.get(RangeLeases));
      const taken = new Map(users.map(({ id }) => [id, 0]));
      for (let messages = 0; messages < 21_000;) {
        const turn = (await scheduler.next(false))!;
        const { sendId, userId, from, to } = turn.range;
        messages += to - from + 1;
        taken.set(userId, taken.get(userId)! + to - from + 1);
        await rows(app.em(), `delete from delivery_ranges where history_id = ? and first_position = ?`, [sendId, from]);
        scheduler.ended(turn);
      }
      const all = [...taken.values()];
      expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(2_100);
      await rows(
        app.em(),
        `delete from email_history where id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
        [JSON.stringify(ids)],
      );
    } finally {
      await queue.resume(true);
    }
  });

  it('that fails releases its range, is not charged, and needs no sweeper', async () => {
    const user = await app.user(pro);
    const sends = app.get(SendLoader);
    const real = sends.load.bind(sends);
    let failures = 2;
    sends.load = (id) => (failures-- > 0 ? Promise.reject(new Error('the connection is gone')) : real(id));
    try {
      const id = await send(user, await seedList(app, user, { addresses: named('failed', 20) }));
      expect((await settled(user, id)).counts).toMatchObject({ sent: 20 });
      expect(failures).toBeLessThanOrEqual(0);
      const [{ ahead } = { ahead: 0 }] = await rows<{ ahead: number }>(
        app.em(),
        `select virtual_time - turn_started as ahead from delivery_shares where user_id = ?`,
        [user.id],
      );
      expect(ahead).toBeLessThanOrEqual(20);
    } finally {
      sends.load = real;
    }
  });

  it('whose range cannot be finished is followed by another once its lease has ended, and needs no sweeper', async () => {
    const user = await app.user(pro);
    const leases = app.get(RangeLeases);
    const real = leases.finish.bind(leases);
    let failures = 1;
    leases.finish = (...args) => (failures-- > 0 ? Promise.reject(new Error('the connection is gone')) : real(...args));
    try {
      const id = await send(user, await seedList(app, user, { addresses: named('unfinished', 20) }));
      expect((await settled(user, id)).counts).toMatchObject({ sent: 20 });
      expect(failures).toBeLessThan(0);
    } finally {
      leases.finish = real;
    }
  });

  it('that only moves messages to backlogs is charged too', async () => {
    const user = await app.user(pro);
    const [{ clock } = { clock: 0 }] = await rows<{ clock: number }>(
      app.em(),
      `select coalesce(max(turn_started), 0) as clock from delivery_shares`,
    );
    app.get(ProviderThrottles).setBacklogged(new Set(['held.test']));
    const id = await send(user, await seedList(app, user, { addresses: named('held', 100, 'held.test') }));
    const waiting = async () =>
      (await rows<{ n: number }>(app.em(), `select waiting as n from delivery_backlogs where history_id = ?`, [id]))[0]
        ?.n;
    await until(async () => (await waiting()) === 100);
    await until(
      async () => (await rows(app.em(), `select 1 from delivery_ranges where history_id = ?`, [id])).length === 0,
    );
    expect((await charged(user)) - clock).toBeCloseTo(10, 5);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
  });

  it('that is leased while the worker stops is released', async () => {
    const stopped = await start({}, { beside: app, env: { ROLE: 'all' } });
    await app.get(JobQueue).queue('deliveries').pause(true, true);
    try {
      const scheduler = stopped.get(DeliveryScheduler);
      const real = scheduler.next.bind(scheduler);
      let goOn: () => void = () => undefined;
      const gate = new Promise<void>((open) => (goOn = open));
      let isChosen = false;
      scheduler.next = async (mayReuse) => {
        const turn = await real(mayReuse);
        isChosen ||= turn !== undefined;
        await gate;
        return turn;
      };
      const user = await app.user(pro);
      const id = await send(user, await seedList(app, user, { addresses: named('stopped', 20) }));
      await until(() => isChosen);
      let isOver = false;
      const ending = stopped
        .get(DeliverRange)
        .beforeApplicationShutdown()
        .then(() => (isOver = true));
      // eslint-disable-next-line staffcast/no-bare-wait -- longer than the worker waits for its queue to pause
      await pause(3_000);
      const wasOver = isOver;
      goOn();
      await ending;
      expect(wasOver).toBe(false);
      expect(
        await rows(app.em(), `select 1 from delivery_ranges where history_id = ? and leased_until > now()`, [id]),
      ).toEqual([]);
      await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    } finally {
      await app.get(JobQueue).queue('deliveries').resume(true);
    }
  });
});

describe('the backlogs of a mailbox provider', () => {
  const backlogs = () => app.get(DeliveryBacklogs);
  async function fill(provider: string, user: SignedUp, sends: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < sends; i++) ids.push(await queueRanges(user, 0));
    for (const id of ids) await backlogs().add(id, new Map([[provider, [1, 2, 3]]]), 'smtp');
    return ids;
  }
  const release = async (provider: string) => {
    await rows(
      app.em(),
      `update delivery_backlogs set leased_until = null, served_at = now() where provider = ? and leased_until is not null`,
      [provider],
    );
  };

  it('are served by as many workers as account holders, so that many sends get no larger share', async () => {
    const [many, one, other] = await Promise.all([app.user(pro), app.user(pro), app.user(pro)]);
    await fill('contested.test', many, 50);
    for (const user of [one, other]) await fill('contested.test', user, 1);
    const slots = new Map([many, one, other].map(({ id }) => [id, 0]));
    for (let round = 0; round < 10; round++) {
      // Four workers lease backlogs, each with the same number of slots.
      for (let worker = 0; worker < 4; worker++) {
        const leased = await backlogs().lease('contested.test', 20);
        for (const { backlog, slots: given } of splitSlots(
          leased.map((backlog) => ({ ...backlog, waiting: 1_000 })),
          90,
        ))
          slots.set(backlog.userId, slots.get(backlog.userId)! + given);
      }
      await release('contested.test');
    }
    const all = [...slots.values()];
    expect(Math.min(...all)).toBeGreaterThan(0);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(1.2);
  });

  it('of a single account holder are served by every worker', async () => {
    const user = await app.user(pro);
    await fill('alone.test', user, 50);
    expect(await backlogs().lease('alone.test', 20)).toHaveLength(20);
    expect(await backlogs().lease('alone.test', 20)).toHaveLength(20);
    expect(await backlogs().lease('alone.test', 20)).toHaveLength(10);
  });

  it('of an account holder with paused sends do not stop several workers from serving others', async () => {
    const [paused, user] = await Promise.all([app.user(pro), app.user(pro)]);
    const ids = await fill('paused.test', paused, 2);
    await rows(
      app.em(),
      `update email_history set paused_at = now() where id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(ids)],
    );
    await fill('paused.test', user, 40);
    expect((await backlogs().lease('paused.test', 20)).every(({ userId }) => userId === user.id)).toBe(true);
    expect((await backlogs().lease('paused.test', 20)).length).toBeGreaterThan(10);
  });

  it('are read as unavailable while their send is paused, and as empty once its messages are settled', async () => {
    const user = await app.user(pro);
    const id = await send(user, await seedList(app, user, { addresses: named('done', 3) }));
    await settled(user, id);
    const peek = () => app.get(DeliveryClaims).peekAt(id, [1, 2, 3]);
    const setPaused = (at: string) => rows(app.em(), `update email_history set paused_at = ${at} where id = ?`, [id]);
    expect(await peek()).toEqual([]);
    await setPaused('now()');
    expect(await peek()).toBeUndefined();
    await setPaused('null');
    expect(await peek()).toEqual([]);
  });
});
