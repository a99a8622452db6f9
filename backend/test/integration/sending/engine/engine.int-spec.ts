import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { dayLimit } from '../../../../src/modules/mail-accounts/warm-up.service.js';
import type { TestApp } from '../../../kit/app.js';
import { awayFromTheHour } from '../../../kit/hours.js';
import { emptyRedis } from '../../../kit/redis.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, sendBody, settled, startSending, type SeededList } from '../support.js';

let sink: SmtpSink;
let smtpUrl: string;
let app: TestApp;
const chunks = { layOutAtOnce: 100, firstChunk: 30, chunk: 70, range: 50, claim: 50, sliceMs: 500 };
beforeAll(async () => {
  sink = new SmtpSink();
  smtpUrl = await sink.listen();
  app = await startSending({ ...chunks, slowestSeconds: 1, stalledPauseSeconds: 1 }, { env: { SMTP_URL: smtpUrl } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const unlimited = { set: { custom_daily_limit: '1000' } };
const named = (prefix: string, count: number, domain = 'x.test'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);
const storedTo = (prefix: string) => sink.stored.filter(({ address }) => address.startsWith(prefix));
/**
 * The list's number of confirmed contacts, which decides whether a send is large. Triggers also count rows that the kit
 * inserts.
 */
const counted = async (list: SeededList) =>
  (await rows<{ n: number }>(app.em(), `select confirmed_count as n from email_lists where id = ?`, [list.id]))[0]!.n;
describe('a large send', () => {
  it('is answered before its expansion; each recipient gets it once, on any number of lists', async () => {
    const user = await app.user(unlimited);
    const lists = [
      await seedList(app, user, { addresses: named('big', 300) }),
      await seedList(app, user, { addresses: [...named('big', 150), ...named('more', 80)] }),
    ];
    expect(await counted(lists[0]!)).toBe(300);
    const { body } = await user.agent.post('/api/send-email').send(sendBody(lists)).expect(202);
    expect(body).toMatchObject({ status: 'pending', recipientCount: '530' });
    const entry = await settled(user, body.id as string);
    expect(entry).toMatchObject({ status: 'sent', recipientCount: '380', counts: { sent: 380 } });
    expect(new Set([...storedTo('big'), ...storedTo('more')].map(({ address }) => address)).size).toBe(380);
    expect([...storedTo('big'), ...storedTo('more')]).toHaveLength(380);
    const positions = await rows<{ n: number }>(
      app.em(),
      `select count(distinct position)::int as n from email_delivery_logs where history_id = ? and position between 1 and 380`,
      [body.id],
    );
    expect(positions).toEqual([{ n: 380 }]);
    expect(await rows(app.em(), `select 1 from send_layouts`)).toEqual([]);
  });

  it('goes to the audience at acceptance, also after a crash and with an empty Redis', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, {
      addresses: [...named('asof', 250), 'left-before@x.test', 'bounced-before@x.test'],
    });
    const suppressed = (address: string, reason: string, expires: string) =>
      rows(
        app.em(),
        `insert into suppressions (scope, owner_id, address_hash, reason, expires_at) select 'owner', ?, sha256(?::bytea), ?, now() + ?::interval`,
        [user.id, address, reason, expires],
      );
    await suppressed('left-before@x.test', 'unsubscribed', 'infinity');
    await suppressed('bounced-before@x.test', 'bounced', '1 second');
    await app.get(JobQueue).queue('layouts').pause();
    const { body } = await user.agent.post('/api/send-email').send(sendBody(list)).expect(202);
    // Two contacts become mailable again before their chunk is expanded: one suppression is lifted, one expires.
    await rows(app.em(), `delete from suppressions where reason = 'unsubscribed' and owner_id = ?`, [user.id]);
    await until(
      async () =>
        (await rows(app.em(), `select 1 from suppressions where owner_id = ? and expires_at < now()`, [user.id]))
          .length === 1,
    );
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
       select e, e, sha256(e::bytea), 'job-posts', true, now(), e, ?, 'none' from jsonb_array_elements_text('["aa-late@x.test", "zz-late@x.test"]') e`,
      [list.id],
    );
    // Emptying Redis also removes the pause of the queue and the job, so that only the sweeper can find the send.
    await emptyRedis(app);
    expect(await settled(user, body.id as string)).toMatchObject({ recipientCount: '250', counts: { sent: 250 } });
    expect(['aa-late', 'zz-late', 'left-before', 'bounced-before'].flatMap(storedTo)).toEqual([]);
    expect(storedTo('asof')).toHaveLength(250);
  });

  it('is refused at once without recipients', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: named('nobody', 150), type: 'candidate-lists' });
    expect((await user.agent.post('/api/send-email').send(sendBody(list)).expect(400)).body.code).toBe('no_recipients');
  });

  it('does not delay a small one', async () => {
    const [big, small] = [await app.user(unlimited), await app.user(unlimited)];
    const bigId = await send(big, await seedList(app, big, { addresses: named('slow30-big', 2000) }));
    const few = await seedList(app, small, { addresses: named('slow30-small', 50) });
    await until(() => storedTo('slow30-big').length > 20);
    const smallId = await send(small, few);
    expect((await settled(small, smallId)).counts).toMatchObject({ sent: 50 });
    expect(storedTo('slow30-big').length).toBeLessThan(2000);
    expect((await settled(big, bigId)).counts).toMatchObject({ sent: 2000 });
    expect(storedTo('slow30-big')).toHaveLength(2000);
  });
});

describe('a domain with a failing server', () => {
  it('that asks for a lower rate gets it alone, on every instance', async () => {
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('rate-', 12, 'a.test'), ...named('ok-lane', 100, 'b.test')] }),
    );
    await until(() => storedTo('ok-lane').length === 100);
    const cuts = () =>
      rows<{ provider: string; answer: string }>(
        app.em(),
        `select provider, last_answer as answer from provider_rates where cut_at is not null`,
      );
    await until(async () => (await cuts()).length > 0);
    expect(await cuts()).toEqual([{ provider: 'a.test', answer: expect.stringContaining('4.7.28') }]);
    // eslint-disable-next-line staffcast/no-bare-wait -- a rate that was not lowered would have tried hundreds by then
    await pause(1500);
    expect(sink.attempts.filter(({ address }) => address.endsWith('@a.test')).length).toBeLessThan(30);
    sink.limiting = false;
    expect((await settled(user, id)).counts).toMatchObject({ sent: 112 });
  });

  it('that stalls uses few connections, the others continue', async () => {
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('hang-', 60, 'c.test'), ...named('ok-free', 100, 'd.test')] }),
    );
    await until(() => storedTo('ok-free').length === 100);
    expect(storedTo('hang-').length).toBeLessThanOrEqual(8);
    sink.hanging = false;
    sink.cutAll();
    expect((await settled(user, id)).counts).toMatchObject({ sent: 160 });
  });
});

describe('a new mail account', () => {
  it('sends its quota of the first day, and the rest stays queued', async () => {
    expect([0, 1, 6, 7, 8].map(dayLimit)).toEqual([1000, 1500, 10_000, 13_000, 16_900]);
    await awayFromTheHour();
    const other = await startSending({}, { env: { SMTP_URL: smtpUrl } });
    try {
      await rows(
        other.em(),
        `update email_providers set config = coalesce(config::jsonb, '{}') || jsonb_build_object('warmUp', (now() at time zone 'UTC')::date, 'domainMessagesPerSecond', 10000, 'domainConnections', 20)`,
      );
      const user = await other.user(unlimited);
      const id = await send(user, await seedList(other, user, { addresses: named('ok-warm', 130) }));
      await until(() => storedTo('ok-warm').length >= 100);
      await until(async () => (await user.agent.get(`/api/email-history/${id}`)).body.counts.sent === 100);
      expect((await user.agent.get(`/api/email-history/${id}`)).body).toMatchObject({
        status: 'pending',
        counts: { queued: 30, sent: 100 },
      });
      expect(storedTo('ok-warm')).toHaveLength(100);
    } finally {
      await other.close();
    }
  });
});

describe('failures of the product itself', () => {
  it('a recipient whose message cannot be composed fails alone', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: named('ok-poison', 80) });
    await rows(app.em(), `update subscriptions set email = 'no address' where email_norm = 'ok-poison7@x.test'`);
    const id = await send(user, list);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 79, failed: 1 });
    const log = (await user.agent.get(`/api/email-history/${id}/deliveries?status=failed`)).body as {
      detail: string;
    }[];
    expect(log).toHaveLength(1);
    expect(log[0]!.detail).toContain('could not be made');
  });

  it('while results cannot be written at most the window is sent, and all results are written later', async () => {
    const other = await startSending({ window: 12 }, { env: { SMTP_URL: smtpUrl } });
    try {
      const user = await other.user(unlimited);
      const claims = other.get(DeliveryClaims);
      const real = claims.settle.bind(claims);
      let broken = true;
      let refused = 0;
      claims.settle = (results) => {
        if (!broken || !results.some(({ status }) => status === 'sent')) return real(results);
        refused++;
        return Promise.reject(Object.assign(new Error('disk full'), { code: '53100' }));
      };
      const id = await send(user, await seedList(other, user, { addresses: named('ok-disk', 200) }));
      await until(() => storedTo('ok-disk').length > 0 && refused >= 3);
      expect(storedTo('ok-disk').length).toBeLessThanOrEqual(15);
      broken = false;
      expect((await settled(user, id)).counts).toMatchObject({ sent: 200 });
      expect(storedTo('ok-disk')).toHaveLength(200);
    } finally {
      await other.close();
    }
  });

  it('a database failure between claim and dispatch loses and repeats nothing', async () => {
    const other = await startSending({ leaseSeconds: 4 }, { env: { SMTP_URL: smtpUrl } });
    try {
      const user = await other.user(unlimited);
      const claims = other.get(DeliveryClaims);
      let failures = 6;
      for (const method of ['claim', 'release'] as const) {
        const real = claims[method].bind(claims) as (...args: unknown[]) => Promise<never>;
        claims[method] = ((...args: unknown[]) =>
          failures-- > 0 ? Promise.reject(new Error('the connection is gone')) : real(...args)) as never;
      }
      const id = await send(user, await seedList(other, user, { addresses: named('ok-gone', 120) }));
      expect((await settled(user, id)).counts).toMatchObject({ sent: 120 });
      expect(failures).toBeLessThanOrEqual(0);
      expect(storedTo('ok-gone')).toHaveLength(120);
    } finally {
      await other.close();
    }
  });

  it('a stopping worker finishes messages in flight and releases the rest to another, without duplicates', async () => {
    const first = await startSending({}, { env: { SMTP_URL: smtpUrl } });
    const user = await first.user(unlimited);
    const id = await send(user, await seedList(first, user, { addresses: named('slow20-stop', 600) }));
    await until(() => storedTo('slow20-stop').length > 50);
    const second = await startSending({}, { beside: first, env: { SMTP_URL: smtpUrl } });
    const em = second.em();
    await first.stop();
    const open = await rows<{ status: string; transmitting: boolean; ambiguous: number }>(
      em,
      `select status, transmitting, ambiguous from email_delivery_logs where history_id = ? and (ambiguous > 0)`,
      [id],
    );
    expect(open).toEqual([]);
    await until(
      async () =>
        (await rows<{ status: string }>(em, `select status from email_history where id = ?`, [id]))[0]!.status ===
        'sent',
    );
    expect(storedTo('slow20-stop')).toHaveLength(600);
    await second.close();
    await first.close();
  });

  it('a possible duplicate is flagged, whatever the result of the second attempt', async () => {
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: ['cutdot1-flag@x.test', 'ok-flag@x.test'] }));
    await settled(user, id);
    const log = (await user.agent.get(`/api/email-history/${id}/deliveries`)).body as {
      recipientEmail: string;
      status: string;
      detail: string | null;
    }[];
    expect(log.find((row) => row.recipientEmail === 'cutdot1-flag@x.test')).toMatchObject({
      status: 'sent',
      detail: expect.stringContaining('arrived twice'),
    });
    expect(log.find((row) => row.recipientEmail === 'ok-flag@x.test')).toMatchObject({ status: 'sent', detail: null });
  });

  it('a worker that resumes after its leases expired only records messages it knows to be sent', async () => {
    const user: SignedUp = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: ['ok-fence@x.test'] }));
    await settled(user, id);
    const claims = app.get(DeliveryClaims);
    const [row] = await rows<{ id: string; attempt: number }>(
      app.em(),
      `select id, attempt from email_delivery_logs where history_id = ?`,
      [id],
    );
    const statusNow = async () =>
      (await rows<{ status: string }>(app.em(), `select status from email_delivery_logs where id = ?`, [row!.id]))[0]!
        .status;
    await claims.settle([
      { ...row!, status: 'failed', metadata: { reason: 'late' } },
      { id: row!.id, attempt: 0, status: 'deferred', pauseSeconds: 1 },
    ]);
    expect(await statusNow()).toBe('sent');
    await rows(app.em(), `update email_delivery_logs set status = 'unconfirmed' where id = ?`, [row!.id]);
    await claims.settle([{ id: row!.id, attempt: 0, status: 'failed' }]);
    expect(await statusNow()).toBe('unconfirmed');
    await claims.settle([{ id: row!.id, attempt: 0, status: 'sent', messageId: '<late@x>' }]);
    expect(await statusNow()).toBe('sent');
  });
});
