import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

const RECIPIENTS = 900;
/**
 * Maximum number of messages that may still leave: one prepared batch for each job of both workers, and the messages on
 * their connections.
 */
const MOST_AFTER = 200;

const sink = new SmtpSink({ bodies: false, log: true });
let app: TestApp;
let beside: TestApp;
let admin: SignedUp;
beforeAll(async () => {
  const SMTP_URL = await sink.listen();
  app = await startSending({ range: 100, claim: 100 }, { env: { SMTP_URL } });
  beside = await startSending({ range: 100, claim: 100 }, { env: { SMTP_URL }, beside: app });
  admin = await app.user({ admin: true });
});
beforeEach(() => {
  sink.modes = { delayMs: 150 };
});
afterAll(async () => {
  await beside.close();
  await app.close();
  await sink.close();
});

const taken = (name: string): number => sink.attempts.filter(({ address }) => address.startsWith(`${name}-`)).length;
const addresses = (name: string, count = RECIPIENTS): string[] =>
  Array.from({ length: count }, (_, i) => `${name}-${i}@x${i % 40}.test`);

/** Starts a send that both instances deliver. */
async function underWay(name: string): Promise<{ user: SignedUp; id: string }> {
  const user = await app.user({ set: { tier: 'pro' } });
  // The day's first send, which the Free plan includes.
  await settled(user, await send(user, await seedList(app, user, { addresses: [`first${name}@x.test`] })));
  const id = await send(user, await seedList(app, user, { addresses: addresses(name) }));
  await until(() => taken(name) >= 40);
  return { user, id };
}

/** Number of messages that a worker has checked: they have left, or are on a connection or in a prepared batch. */
const judged = async (sendId: string): Promise<number> =>
  (
    await rows<{ n: number }>(
      app.em(),
      `select count(*)::int as n from email_delivery_logs where history_id = ? and status not in ('queued', 'deferred', 'skipped')`,
      [sendId],
    )
  )[0]!.n;

/** Runs `act`, and expects that afterwards only messages leave that the workers had already claimed. */
async function stoppedAfter(
  name: string,
  user: SignedUp,
  act: () => Promise<unknown>,
  inHands = async () => taken(name) + MOST_AFTER,
): Promise<void> {
  await act();
  const most = await inHands();
  sink.modes = {};
  await untilAccountSettled(app, user);
  expect(taken(name)).toBeLessThanOrEqual(most);
}

describe('a running send whose account loses its permission', () => {
  it('stops on every instance with the next batch when the account is suspended', async () => {
    const { user, id } = await underWay('suspended');
    await stoppedAfter(
      'suspended',
      user,
      () => admin.agent.patch(`/api/admin/users/${user.id}`).send({ suspended: true, reason: 'Spam' }).expect(200),
      () => judged(id),
    );
    const skipped = await rows<{ reason: string }>(
      app.em(),
      `select distinct metadata->>'reason' as reason from email_delivery_logs where history_id = ? and status = 'skipped'`,
      [id],
    );
    expect(skipped).toEqual([{ reason: 'The account of the sender is suspended' }]);
  });

  it('stops on every instance with the next batch when the account is deleted', async () => {
    const { user, id } = await underWay('deleted');
    await stoppedAfter('deleted', user, () =>
      user.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200),
    );
    await until(
      async () => (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ?`, [id])).length === 0,
    );
  });

  it('stops on every instance with the next batch when the plan ends, except for the Free limit', async () => {
    const { user, id } = await underWay('planless');
    const planEnds = async () => {
      await rows(app.em(), `update users set plan_access_until = now() where id = ?`, [user.id]);
      // eslint-disable-next-line staffcast/no-bare-wait -- a worker asks for the plan once a second
      await pause(1_000);
    };
    await stoppedAfter('planless', user, planEnds, () => judged(id));
    expect((await settled(user, id)).counts.skipped).toBeGreaterThan(RECIPIENTS / 3);
    const skipped = await rows<{ reason: string }>(
      app.em(),
      `select distinct metadata->>'reason' as reason from email_delivery_logs where history_id = ? and status = 'skipped'`,
      [id],
    );
    expect(skipped).toEqual([{ reason: 'The plan that allowed this send has ended' }]);
    const other = await app.user({ set: { tier: 'pro' } });
    const first = await send(other, await seedList(app, other, { addresses: addresses('stillfirst', 200) }));
    await rows(app.em(), `update users set plan_access_until = now() where id = ?`, [other.id]);
    expect((await settled(other, first)).counts).toMatchObject({ sent: 200 });
  });
});
