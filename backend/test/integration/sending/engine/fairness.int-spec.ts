import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../../kit/app.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, settled, startSending } from '../support.js';

const unlimited = { set: { tier: 'pro' } };
const tuning = {
  layOutAtOnce: 8_000,
  firstChunk: 500,
  chunk: 500,
  range: 100,
  claim: 100,
  smallSend: 30,
  sliceMs: 1_000,
};
/** Delay of the mail server's answers; each instance has ten connections. */
const DELAY_MS = 100;
const CONNECTIONS = 2 * 10;
/** Number of messages that the connections carry in five slices, while fifty slices of other sends wait. */
const MOST_BEFORE_SMALL = (5 * tuning.sliceMs * CONNECTIONS) / DELAY_MS;

const sink = new SmtpSink({ bodies: false, log: true });
let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  const SMTP_URL = await sink.listen();
  app = await startSending(tuning, { env: { SMTP_URL } });
  other = await startSending(tuning, { env: { SMTP_URL }, beside: app });
  sink.modes = { delayMs: DELAY_MS };
});
afterAll(async () => {
  await other.close();
  await app.close();
  await sink.close();
});

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}@${prefix}${i % 5}.test`);
const taken = (prefix: string): number => sink.stored.filter(({ address }) => address.startsWith(`${prefix}-`)).length;
const positionOfLast = (prefix: string): number =>
  sink.stored.findLastIndex(({ address }) => address.startsWith(`${prefix}-`)) + 1;
const cancel = (user: SignedUp, id: string) => user.agent.post(`/api/email-history/${id}/cancel`).expect(200);

/**
 * Creates a list and starts sends to it. Each has a different message, because an equal one would count as a double
 * click.
 */
async function start(user: SignedUp, prefix: string, recipients: number, sends = 1): Promise<string[]> {
  const list = await seedList(app, user, { addresses: named(prefix, recipients) });
  const ids = [];
  for (let i = 0; i < sends; i++) ids.push(await send(user, list, { subject: `Job ${i}` }));
  return ids;
}

describe('account holders who send concurrently on two instances', () => {
  it('share the capacity: 30 sends of one get no more than a single send, and small sends wait for neither', async () => {
    const [many, single, ...small] = await Promise.all(Array.from({ length: 5 }, () => app.user(unlimited)));
    const manyIds = await start(many!, 'many', 200, 30);
    const [singleId] = await start(single!, 'single', 4_000);
    await until(() => taken('single') > 100);
    const earlier: number[] = [];
    for (const [i, user] of small.entries()) {
      const asked = sink.stored.length;
      const [id] = await start(user, `small${i}`, 25);
      await until(() => taken(`small${i}`) === 25);
      earlier.push(positionOfLast(`small${i}`) - asked - 25);
      expect((await settled(user, id!)).counts).toMatchObject({ sent: 25 });
    }
    const shareOfMany = await untilShared();
    expect(shareOfMany).toBeGreaterThan(0.35);
    expect(shareOfMany).toBeLessThan(0.65);
    for (const others of earlier) expect(others).toBeLessThan(MOST_BEFORE_SMALL);
    for (const id of manyIds) await cancelIfOpen(many!, id);
    await cancelIfOpen(single!, singleId!);
    expect(sink.extraCopies).toBe(0);
  });

  it('are all served: a large send continues beside many small ones', async () => {
    const [large, flood] = await Promise.all([app.user(unlimited), app.user(unlimited)]);
    const floodIds = await start(flood, 'flood', 30, 60);
    const [largeId] = await start(large, 'beside', 300);
    await until(() => taken('beside') === 300);
    expect((await settled(large, largeId!)).counts).toMatchObject({ sent: 300 });
    for (const id of floodIds) await cancelIfOpen(flood, id);
  });

  it('leave all connections to a single large send', async () => {
    const user = await app.user(unlimited);
    const answers = Promise.withResolvers<void>();
    sink.held = answers.promise;
    const [id] = await start(user, 'alone', 400);
    await until(() => taken('alone') === CONNECTIONS);
    sink.held = undefined;
    answers.resolve();
    sink.modes.delayMs = 0;
    expect((await settled(user, id!)).counts).toMatchObject({ sent: 400 });
  });
});

/**
 * Share of the messages that the many sends get, measured over 700 messages of the single send. If the machine holds up
 * one of the instances, the window says nothing, so the next one is measured.
 */
async function untilShared(windows = 4): Promise<number> {
  const [many, single] = [taken('many'), taken('single')];
  await until(() => taken('single') - single > 700);
  const [ofMany, ofSingle] = [taken('many') - many, taken('single') - single];
  const share = ofMany / (ofMany + ofSingle);
  return windows === 1 || (share > 0.35 && share < 0.65) ? share : untilShared(windows - 1);
}

/** Cancels sends, some of which may have ended. */
async function cancelIfOpen(user: SignedUp, id: string): Promise<void> {
  const { status } = await user.agent.post(`/api/email-history/${id}/cancel`);
  expect([200, 409]).toContain(status);
}

describe('expansion', () => {
  it('alternates between account holders: a send of 8,500 is expanded beside 20 earlier ones of 9,000', async () => {
    await Promise.all([app, other].map((one) => one.get(JobQueue).queue('deliveries').pause(true, true)));
    const open = async (user: SignedUp): Promise<number> =>
      (
        await rows(
          app.em(),
          `select 1 from send_layouts l join email_history h on h.id = l.history_id where h.user_id = ?`,
          [user.id],
        )
      ).length;
    try {
      const [many, few] = await Promise.all([app.user(unlimited), app.user(unlimited)]);
      const list = await seedList(app, few, { addresses: named('few', 8_500) });
      const ids = await start(many, 'crowd', 9_000, 20);
      const id = await send(few, list);
      await until(async () => (await open(few)) === 0);
      expect(await open(many)).toBeGreaterThan(15);
      for (const one of ids) await cancel(many, one);
      await cancel(few, id);
    } finally {
      await Promise.all([app, other].map((one) => one.get(JobQueue).queue('deliveries').resume(true)));
    }
  });
});
