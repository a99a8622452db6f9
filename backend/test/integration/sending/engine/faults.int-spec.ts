import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BatchLeases } from '../../../../src/modules/delivery/batches/batch-leases.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../../kit/app.js';
import { emptyRedis } from '../../../kit/redis.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { expectPaced, grantedSlots } from '../../email/granted-slots.js';
import { seedList, send, sentToday, settled, startSending, untilMailAccountFailed } from '../support.js';
import { until } from '../../../kit/until.js';

let app: TestApp;
let sink: SmtpSink;
let smtpUrl: string;
beforeAll(async () => {
  sink = new SmtpSink();
  smtpUrl = await sink.listen();
  app = await startSending({}, { env: { SMTP_URL: smtpUrl } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});
beforeEach(() => {
  sink.modes.refuseSender = false;
});
afterEach(() => {
  sink.hanging = true;
});

const unlimited = { set: { tier: 'pro' } };
const deliveries = async (user: Awaited<ReturnType<TestApp['user']>>, id: string) =>
  (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
    recipientEmail: string;
    status: string;
    detail: string | null;
  }[];

describe('a send with faults', () => {
  it('retries after 450, not after 550 or 554, and shows the reason', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, {
      addresses: ['t450x2-a@x.test', 'p550-a@x.test', 'pol554-a@x.test', 'ok-a@x.test'],
    });
    const id = await send(user, list);
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ status: 'sent', counts: { sent: 2, failed: 2 } });
    expect(['t450x2-a@x.test', 'p550-a@x.test', 'ok-a@x.test'].map(sink.attemptsOf)).toEqual([3, 1, 1]);
    const gaps = sink.attempts.filter((one) => one.address.startsWith('t450x2')).map((one) => one.at);
    expect(gaps[1]! - gaps[0]!).toBeGreaterThanOrEqual(790);
    const byAddress = new Map((await deliveries(user, id)).map((row) => [row.recipientEmail, row.detail]));
    expect(byAddress.get('p550-a@x.test')).toContain('The mailbox does not exist');
    expect(byAddress.get('pol554-a@x.test')).toContain('refused the message');
  });

  it("gives the day's send back where nothing was sent", async () => {
    const user = await app.user();
    const list = await seedList(app, user, { addresses: ['p550-b@x.test', 'p550-c@x.test'] });
    const id = await send(user, list);
    expect(await sentToday(user)).toBe('1');
    expect((await settled(user, id)).status).toBe('failed');
    expect(await sentToday(user)).toBe('0');
    await send(user, await seedList(app, user, { addresses: ['ok-b@x.test'] }), { subject: 'Again' });
  });

  it('gives up after the time for retries', async () => {
    const other = await startSending({}, { env: { SMTP_URL: smtpUrl, RETRY_SCHEDULE: '1', RETRY_GIVE_UP: '2' } });
    try {
      const user = await other.user(unlimited);
      const id = await send(user, await seedList(other, user, { addresses: ['t450x99-d@x.test'] }));
      expect((await settled(user, id)).status).toBe('failed');
      expect((await deliveries(user, id))[0]!.detail).toContain('Given up');
    } finally {
      await other.close();
    }
  });

  it('fails no recipient for a refused sender, and continues afterwards', async () => {
    sink.modes.refuseSender = true;
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: Array.from({ length: 30 }, (_, i) => `ok-sender${i}@x.test`) }),
    );
    await untilMailAccountFailed(app, 2);
    expect((await user.agent.get(`/api/email-history/${id}`)).body.counts).toMatchObject({ queued: 30, failed: 0 });
    sink.modes.refuseSender = false;
    expect((await settled(user, id)).counts).toMatchObject({ sent: 30 });
  });

  it('sends a message whose answer was lost at most three times, always identical', async () => {
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: ['cutdot1-a@x.test', 'cutdot9-a@x.test', 'ok-cut@x.test'] }),
    );
    expect((await settled(user, id)).counts).toMatchObject({ sent: 2, unconfirmed: 1 });
    expect(sink.storedOf('cutdot1-a@x.test')).toHaveLength(2);
    expect(sink.storedOf('cutdot9-a@x.test')).toHaveLength(4);
    for (const address of ['cutdot1-a@x.test', 'cutdot9-a@x.test']) {
      const bodies = sink.storedOf(address).map((one) => one.raw.replace(/--_NmP-[^"\r\n]+|boundary="[^"]+"/g, ''));
      expect(new Set(bodies).size).toBe(1);
    }
  });

  it.each([
    ['body', 'r@lost-1.test', 2],
    ['envelope', 'e@lost-2.test', 1],
  ])('puts a message back whose lease ended before its %s left, and sends it once', async (part, address, attempts) => {
    const hold = jest.spyOn(app.get(BatchLeases), 'hold');
    if (part === 'envelope') hold.mockImplementationOnce((batch) => void (batch.leaseMs = -1));
    else
      sink.answer = (to) => {
        if (to === address && sink.attemptsOf(to) === 1) hold.mock.calls.at(-1)![0].leaseMs = -1;
        return undefined;
      };
    try {
      const user = await app.user(unlimited);
      const id = await send(user, await seedList(app, user, { addresses: [address] }));
      expect((await settled(user, id)).counts).toMatchObject({ sent: 1 });
      expect(sink.attemptsOf(address)).toBe(attempts);
      expect(sink.storedOf(address)).toHaveLength(1);
      const found = await rows(app.em(), `select ambiguous from email_delivery_logs where history_id = ?`, [id]);
      expect(found).toEqual([{ ambiguous: 0 }]);
    } finally {
      sink.answer = () => undefined;
      hold.mockRestore();
    }
  });

  it('skips recipients who unsubscribed while their message waited', async () => {
    sink.modes.refuseSender = true;
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['ok-stay@x.test', 'ok-left@x.test'] });
    const id = await send(user, list);
    await rows(
      app.em(),
      `insert into suppressions (scope, owner_id, address_hash, reason) select 'owner', ?, email_hash, 'unsubscribed' from subscriptions where email_norm = 'ok-left@x.test'`,
      [user.id],
    );
    sink.modes.refuseSender = false;
    expect((await settled(user, id)).counts).toMatchObject({ sent: 1, skipped: 1 });
    expect(sink.attemptsOf('ok-left@x.test')).toBe(0);
    expect((await deliveries(user, id)).find((row) => row.status === 'skipped')!.detail).toContain('Unsubscribed');
  });

  it('does not exceed SEND_RATE', async () => {
    const other = await startSending({}, { env: { SMTP_URL: smtpUrl, SEND_RATE: '20' } });
    try {
      const user = await other.user(unlimited);
      const granted = grantedSlots(other, '*');
      const id = await send(
        user,
        await seedList(other, user, { addresses: Array.from({ length: 60 }, (_, i) => `ok-rate${i}@x.test`) }),
      );
      expect((await settled(user, id)).counts).toMatchObject({ sent: 60 });
      expectPaced(
        sink.stored.filter(({ address }) => address.startsWith('ok-rate')),
        granted,
        { perSecond: 20, batch: 10 },
      );
    } finally {
      await other.close();
    }
  });

  it('stops the queued mail of a suspended account', async () => {
    sink.modes.refuseSender = true;
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: ['ok-suspended@x.test'] }));
    await rows(app.em(), `update users set suspended_at = now() where id = ?`, [user.id]);
    sink.modes.refuseSender = false;
    await until(async () => {
      const [entry] = await rows<{ status: string }>(app.em(), `select status from email_history where id = ?`, [id]);
      return entry!.status !== 'pending';
    });
    expect(await rows(app.em(), `select status from email_delivery_logs where history_id = ?`, [id])).toEqual([
      { status: 'skipped' },
    ]);
    expect(sink.attemptsOf('ok-suspended@x.test')).toBe(0);
  });

  it('loses no recipient after a Redis flush', async () => {
    const user = await app.user(unlimited);
    const addresses = Array.from({ length: 600 }, (_, i) => `ok-flush${i}@x.test`);
    const list = await seedList(app, user, { addresses });
    const id = await send(user, list);
    await emptyRedis(app);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 600 });
    expect(sink.stored.filter((one) => one.address.startsWith('ok-flush'))).toHaveLength(600);
  });

  it('loses no recipient when a worker dies with messages in flight', async () => {
    const user = await app.user(unlimited);
    const addresses = [...Array.from({ length: 40 }, (_, i) => `ok-kill${i}@x.test`), 'hang-kill@x.test'];
    const list = await seedList(app, user, { addresses });
    const id = await send(user, list);
    await until(() => sink.storedOf('hang-kill@x.test').length > 0);
    // Leaves the state of a killed worker: unsettled claims whose leases expire.
    sink.hanging = false;
    await rows(
      app.em(),
      `update email_delivery_logs set lease_until = now() - interval '1 second', attempt = attempt + 1 where history_id = ? and status = 'sending'`,
      [id],
    );
    const entry = await settled(user, id);
    expect(entry.counts).toMatchObject({ sent: 41, failed: 0, queued: 0 });
    const seen = new Set(sink.stored.map((one) => one.address));
    expect(addresses.every((address) => seen.has(address))).toBe(true);
    const copies = sink.storedOf('hang-kill@x.test');
    expect(new Set(copies.map((one) => one.messageId)).size).toBe(1);
    expect(sink.stored.filter((one) => /-kill\d*@/.test(one.address)).length).toBeLessThanOrEqual(41 + 10);
    sink.cutAll();
  });
});
