import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DeliveryTuning } from '../../../src/modules/delivery/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { seedList, sendBody, send, sentToday, settled, startSending } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
});
afterAll(() => app.close());

const unlimited = { set: { tier: 'pro' } };
const entries = (userId: string) => rows(app.em(), `select id from email_history where user_id = ?`, [userId]);

describe('accepting a send', () => {
  it('answers a retry with the first send, and another body under the same key with 422', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 2 });
    const post = (extra = {}) =>
      user.agent.post('/api/send-email').set('Idempotency-Key', 'k1').send(sendBody(list, extra));
    const answers = await Promise.all(Array.from({ length: 10 }, () => post()));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map((answer) => answer.body.id as string)).size).toBe(1);
    expect(answers[0]!.body).toMatchObject({ status: 'pending', recipientCount: '2', message: expect.any(String) });
    expect((await post({ subject: 'Other' }).expect(422)).body.code).toBe('idempotency_mismatch');
    expect(await entries(user.id)).toHaveLength(1);
    expect(await sentToday(user)).toBe('1');
  });

  it('treats a double click without a key as one send', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 2 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => user.agent.post('/api/send-email').send(sendBody(list))),
    );
    expect(new Set(answers.map((answer) => answer.body.id as string)).size).toBe(1);
    expect(await sentToday(user)).toBe('1');
    await send(user, list, { subject: 'Another' });
    expect(await sentToday(user)).toBe('2');
  });

  it('accepts exactly one of 50 different concurrent sends on Free', async () => {
    const user = await app.user();
    const list = await seedList(app, user, { count: 1 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        user.agent.post('/api/send-email').send(sendBody(list, { subject: `Job ${i}` })),
      ),
    );
    expect(answers.filter((answer) => answer.status === 202)).toHaveLength(1);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(49);
    expect(refused.body.code).toBe('daily_limit');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect(await sentToday(user)).toBe('1');
  });

  it('leaves connections to others while many sends of one account wait for each other, and accepts them all', async () => {
    const [user, other] = [await app.user(unlimited), await app.user()];
    const list = await seedList(app, user, { count: 1 });
    const blocker = new pg.Client({ connectionString: app.settings.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [`send:${user.id}`]);
      const sends = Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          user.agent.post('/api/send-email').send(sendBody(list, { subject: `Job ${i}` })),
        ),
      );
      const waiting = async () =>
        Number(
          (
            await blocker.query<{ n: string }>(
              `select count(*) as n from pg_locks where locktype = 'advisory' and not granted`,
            )
          ).rows[0]!.n,
        );
      await until('two of them wait in the database', async () => (await waiting()) === 2);
      await other.agent.get('/api/auth/me').expect(200);
      await send(other, await seedList(app, other, { count: 1 }));
      expect(await waiting()).toBe(2);
      await blocker.query(`select pg_advisory_unlock_all()`);
      expect((await sends).map(({ status }) => status)).toEqual(Array(30).fill(202));
    } finally {
      await blocker.end();
    }
    expect(await entries(user.id)).toHaveLength(30);
  });

  it('answers 503 and accepts nothing where it waits too long for another send of the account', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 1 });
    const tuning = app.get(DeliveryTuning);
    const { acceptMs } = tuning;
    const blocker = new pg.Client({ connectionString: app.settings.databaseUrl });
    await blocker.connect();
    try {
      Object.assign(tuning, { acceptMs: 100 });
      await blocker.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [`send:${user.id}`]);
      const { body, headers } = await user.agent.post('/api/send-email').send(sendBody(list)).expect(503);
      expect([body.code, headers['retry-after']]).toEqual(['unavailable', '5']);
    } finally {
      Object.assign(tuning, { acceptMs });
      await blocker.end();
    }
    expect(await entries(user.id)).toEqual([]);
    await send(user, list);
  });

  it("allows no second day's limit by a change of the time zone", async () => {
    const user = await app.user();
    const list = await seedList(app, user, { count: 1 });
    await send(user, list);
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
      await rows(app.em(), `update users set time_zone = ? where id = ?`, [zone, user.id]);
      expect((await user.agent.post('/api/send-email').send(sendBody(list, { subject: zone }))).body.code).toBe(
        'daily_limit',
      );
    }
  });

  it('refuses ineligible accounts, without using the daily limit', async () => {
    const [user, other, seller, fresh] = await Promise.all([
      app.user(),
      app.user(),
      app.user({ role: 'bench-sales' }),
      app.user({ verified: false }),
    ]);
    const list = await seedList(app, user, { count: 1 });
    const foreign = await seedList(app, other, { count: 1 });
    const empty = await seedList(app, user, { addresses: ['pending@people.test'], confirmed: false });
    const post = (who: typeof user, body: object) => who.agent.post('/api/send-email').send(body);
    expect((await post(user, sendBody(list, { emailType: 'candidate-list' })).expect(403)).body.code).toBe(
      'role_not_allowed',
    );
    expect((await post(fresh, sendBody(await seedList(app, fresh, { count: 1 }))).expect(403)).body.code).toBe(
      'email_unverified',
    );
    expect((await post(seller, sendBody(await seedList(app, seller, { count: 1 }))).expect(403)).body.code).toBe(
      'role_not_allowed',
    );
    for (const id of [foreign.id, randomUUID(), 'nonsense'])
      await post(user, sendBody(list, { emailListIds: [list.id, id] })).expect(404);
    expect((await post(user, sendBody(empty)).expect(400)).body.code).toBe('no_recipients');
    await app.http().post('/api/send-email').send(sendBody(list)).expect(401);
    expect(await sentToday(user)).toBe('0');
    expect(await entries(user.id)).toHaveLength(0);
  });

  it.each([
    ['a header in the subject', { subject: 'Hi\r\nBcc: e@x.test' }],
    ['a line break at its end', { subject: 'Hi\n' }],
    ['NUL', { subject: 'Hi\0' }],
    ['a line separator', { subject: 'Hi\u2028there' }],
    ['too long a subject', { subject: 'x'.repeat(256) }],
    ['a blank subject', { subject: '   ' }],
    ['a file as subject', { subject: { path: '/etc/passwd' } }],
    ['a file as content', { content: { path: '/etc/passwd' } }],
    ['an array as content', { content: ['a'] }],
    ['a blank content', { content: ' \n ' }],
    ['too long a content', { content: 'x'.repeat(100_001) }],
    ['no list', { emailListIds: [] }],
    ['a text for lists', { emailListIds: 'all' }],
    ['an unknown type', { emailType: 'spam' }],
    ['an unknown field', { from: 'boss@x.test' }],
  ])('answers 400 to %s', async (_what, extra) => {
    const user = await app.user();
    const list = await seedList(app, user, { count: 1 });
    const { body } = await user.agent.post('/api/send-email').send(sendBody(list, extra)).expect(400);
    expect(body).toMatchObject({
      statusCode: 400,
      code: expect.stringMatching(/^(validation_failed|bad_request)$/),
      error: body.message,
    });
  });

  it('previews the recipients and the message', async () => {
    const user = await app.user();
    const first = await seedList(app, user, { addresses: ['A@x.test', 'b@x.test'] });
    const second = await seedList(app, user, { addresses: ['a@X.test', 'c@x.test'], name: 'Second' });
    await seedList(app, user, { addresses: [] });
    const preview = async (extra = {}) =>
      (
        await user.agent
          .post('/api/send-email/preview')
          .send({ emailListIds: [first.id, second.id], emailType: 'job-post', ...extra })
          .expect(200)
      ).body;
    expect(await preview()).toEqual({
      recipientCount: '3',
      excluded: { pending: 0, otherType: 0, suppressed: 0, duplicates: 1 },
      reasons: [],
      attachmentMaxBytes: 2 * 1024 * 1024,
    });
    const { html, text } = await preview({ subject: 'Job', content: 'See <b>\nhttps://a.test' });
    expect(html).toContain('See &lt;b&gt;<br>');
    expect(text).toContain('See <b>\nhttps://a.test');
    expect(text).toContain('1 Test Street, Springfield');
    const id = await send(user, first, { emailListIds: [first.id, second.id, first.id] });
    expect(await settled(user, id)).toMatchObject({
      recipientCount: '3',
      status: 'sent',
      lists: [
        { id: first.id, name: 'Java people' },
        { id: second.id, name: 'Second' },
      ],
    });
    expect(app.mails.all.filter((mail) => mail.to.some((to) => to.toLowerCase() === 'a@x.test'))).toHaveLength(1);
  });
});
