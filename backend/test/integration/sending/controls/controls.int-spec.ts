import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { RangeLeases } from '../../../../src/modules/delivery/scheduling/range-leases.service.js';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { SendFinalizer } from '../../../../src/modules/delivery/send-finalizer.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, sentToday, settled, sweptThrough } from '../support.js';
import { app, sink, pro, press, entryOf } from './controls-support.js';

const many = (name: string, n: number) => Array.from({ length: n }, (_, i) => `${name}${i}@x.test`);
const log = async (user: SignedUp, id: string, query = '') =>
  (await user.agent.get(`/api/email-history/${id}/deliveries${query}`).expect(200)).body;
/** Counts only bulk mail, because verification mails go to the same sink. */
const arrived = (name: string) => sink.stored.filter(({ address }) => address.startsWith(name)).length;
describe('pausing a send', () => {
  it('sends nothing more until it is resumed, and then the rest once each', async () => {
    sink.modes = { delayMs: 40 };
    const user = await app.user(pro);
    const id = await send(user, await seedList(app, user, { addresses: many('ok-pause', 300) }));
    await until(() => arrived('ok-pause') > 10);
    const { body } = await press(user, id, 'pause').expect(200);
    expect(body).toMatchObject({ status: 'pending', stopped: 'paused' });
    await until(
      async () =>
        (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ? and status = 'sending'`, [id]))
          .length === 0,
    );
    const stopped = arrived('ok-pause');
    expect(stopped).toBeLessThan(290);
    await sweptThrough(app, user);
    expect(arrived('ok-pause')).toBe(stopped);
    expect(await entryOf(user, id)).toMatchObject({
      status: 'pending',
      stopped: 'paused',
      counts: { sent: stopped, queued: 300 - stopped },
    });
    expect((await user.agent.get('/api/email-history').expect(200)).body[0]).toMatchObject({ id, stopped: 'paused' });
    sink.modes = {};
    expect((await press(user, id, 'resume').expect(200)).body.stopped).toBeUndefined();
    expect((await settled(user, id)).counts).toMatchObject({ sent: 300, queued: 0 });
    expect(arrived('ok-pause')).toBe(300);
    expect(sink.extraCopies).toBe(0);
  });

  it('invalidates an earlier claim before dispatch, and leaves nothing to claim', async () => {
    const user = await app.user(pro);
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const id = await send(user, await seedList(app, user, { addresses: many('ok-race', 20) }));
    const claims = app.get(DeliveryClaims);
    await rows(
      app.em(),
      `update email_delivery_logs set next_attempt_at = now() + interval '1 hour' where history_id = ? and position > 10`,
      [id],
    );
    const range = { sendId: id, from: 1, to: 20 };
    const [mine] = await Promise.all([claims.peekDue(range), press(user, id, 'pause').expect(200)]);
    expect((await claims.claim(id, mine)).size).toBe(0);
    expect(await claims.peekDue(range)).toEqual([]);
    const queued = app.get(RangeLeases);
    expect(await queued.openRetries(id)).toBe(false);
    expect((await queued.waiting()).sends.filter(({ sendId }) => sendId === id)).toEqual([]);
    expect(
      await queued.lease({ sendId: id, userId: user.id, isSmall: true, virtualTime: 0 }, 0, randomUUID()),
    ).toBeUndefined();
    expect(await claims.nextRetry(id)).toBeUndefined();
    await press(user, id, 'cancel').expect(200);
    await queue.resume();
    await settled(user, id);
  });

  it('is idempotent, and answers 409 once the send has ended', async () => {
    sink.modes = { refuseSender: true };
    const user = await app.user(pro);
    const id = await send(user, await seedList(app, user, { addresses: many('ok-twice', 3) }));
    const answers = await Promise.all([1, 2, 3].map(() => press(user, id, 'pause')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    sink.modes = {};
    await Promise.all([1, 2].map(() => press(user, id, 'resume').expect(200)));
    await settled(user, id);
    expect((await press(user, id, 'pause').expect(409)).body.code).toBe('send_ended');
    expect((await press(user, id, 'resume').expect(409)).body.code).toBe('send_ended');
    expect((await press(user, id, 'cancel').expect(409)).body.code).toBe('send_ended');
  });

  it('is possible for the owner only', async () => {
    const user = await app.user(pro);
    const other = await app.user(pro);
    const id = await send(user, await seedList(app, user, { addresses: ['ok-own@x.test'] }));
    for (const what of ['pause', 'resume', 'cancel', 'retry'] as const) {
      await press(other, id, what).expect(404);
      await press(other, 'nonsense', what).expect(404);
      await app.http().post(`/api/email-history/${id}/${what}`).expect(401);
    }
  });
});

describe('cancelling a send', () => {
  it("skips unsent recipients, keeps sent ones, and counts as the day's send", async () => {
    sink.modes = { delayMs: 40 };
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { addresses: many('ok-cancel', 300) }));
    await until(() => arrived('ok-cancel') > 10);
    expect((await press(user, id, 'cancel').expect(200)).body.stopped).toBe('cancelled');
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ status: 'sent', stopped: 'cancelled' });
    expect(entry.counts.sent! + entry.counts.skipped!).toBe(300);
    expect(entry.counts.sent).toBe(arrived('ok-cancel'));
    expect(entry.counts.skipped).toBeGreaterThan(0);
    expect((await log(user, id, '?status=skipped&limit=1'))[0].detail).toBe('Cancelled by the sender');
    expect(await sentToday(user)).toBe('1');
    expect((await press(user, id, 'retry').expect(409)).body.code).toBe('send_cancelled');
    expect((await press(user, id, 'cancel').expect(200)).body.stopped).toBe('cancelled');
  });

  it("gives the day's send back once where nothing was sent", async () => {
    sink.modes = { refuseSender: true };
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { addresses: many('ok-none', 40) }));
    await Promise.all([
      press(user, id, 'pause'),
      press(user, id, 'cancel').expect(200),
      press(user, id, 'cancel').expect(200),
    ]);
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ status: 'failed', stopped: 'cancelled', counts: { skipped: 40 } });
    expect(await sentToday(user)).toBe('0');
    sink.modes = {};
    await sweptThrough(app, user);
    expect(arrived('ok-none')).toBe(0);
  });

  it('concurrently with its end either ends or cancels the send, which counts once', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await app.user();
      const id = await send(user, await seedList(app, user, { addresses: [`p550-settle${round}@x.test`] }));
      await until(() => sink.attemptsOf(`p550-settle${round}@x.test`) > 0);
      const [answer] = await Promise.all([press(user, id, 'cancel'), app.get(SendFinalizer).finalizeIfDone(id)]);
      expect([200, 409]).toContain(answer.status);
      const entry = await settled(user, id);
      expect(entry).toMatchObject({ status: 'failed', ...(answer.status === 200 && { stopped: 'cancelled' }) });
      expect(await sentToday(user)).toBe('0');
    }
  });

  it('does not mark possibly delivered messages as skipped', async () => {
    const user = await app.user(pro);
    const id = await send(
      user,
      await seedList(app, user, { addresses: ['cutdot9-cancel@x.test', 'hang-cancel@x.test'] }),
    );
    await until(
      async () =>
        (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ? and ambiguous > 0`, [id]))
          .length > 0 && sink.storedOf('hang-cancel@x.test').length > 0,
    );
    await press(user, id, 'cancel').expect(200);
    sink.cutAll();
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ status: 'sent', stopped: 'cancelled', counts: { unconfirmed: 2, skipped: 0 } });
  });
});

describe('the delivery log', () => {
  it("shows the server's replies, unsubscribes and possible duplicates, and filters by them", async () => {
    const user = await app.user(pro);
    const id = await send(
      user,
      await seedList(app, user, {
        addresses: ['ok-log@x.test', 'ok-gone@x.test', 'p550-log@x.test', 'cutdot1-log@x.test'],
      }),
    );
    await settled(user, id);
    await rows(
      app.em(),
      `update email_delivery_logs set unsubscribed_at = now() where history_id = ? and recipient_email = 'ok-gone@x.test'`,
      [id],
    );
    expect(await log(user, id, '?status=failed')).toMatchObject([
      { detail: 'The mailbox does not exist', said: '550 5.1.1 no such user', possibleDuplicate: false },
    ]);
    expect(await log(user, id, '?search=cutdot')).toMatchObject([{ status: 'sent', possibleDuplicate: true }]);
    expect(await log(user, id, '?status=unsubscribed')).toMatchObject([
      { recipientEmail: 'ok-gone@x.test', status: 'sent', detail: 'Unsubscribed after this email' },
    ]);
    await user.agent.get(`/api/email-history/${id}/deliveries?status=nonsense`).expect(400);
    const page = await user.agent.get(`/api/email-history/${id}/deliveries?status=sent&limit=2`).expect(200);
    expect([page.body.length, page.headers['x-total-count']]).toEqual([2, '3']);
    const csv = (await user.agent.get(`/api/email-history/${id}/deliveries.csv?status=failed`).expect(200)).text
      .trim()
      .split('\r\n');
    expect(csv).toHaveLength(2);
    expect(csv[0]).toContain('Email,Status,Sent,Message-ID,Detail,Server said,Possible duplicate,Unsubscribed');
    expect(csv[1]).toContain('550 5.1.1 no such user');
  });
});
