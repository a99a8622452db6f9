import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutreachBudget } from '../../../src/modules/lists/index.js';
import { hashMailbox } from '../../../src/shared/mail/address.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { add, asksOf, daysLater, hoursLater, importLines, newList, query, settled, subscribe } from './support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

const HOUR_MS = 3_600_000;

let app: TestApp;
let beside: TestApp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  beside = await startApp({ beside: app });
  admin = await app.user({ admin: true });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

let serial = 0;
const people = (n: number, word: string) => Array.from({ length: n }, () => `${word}${(serial += 1)}@target.example`);
/** Mails to strangers whose address begins with this word; without the probes. */
const mailed = (word: string) => asksOf(app).filter(({ to }) => to[0]!.startsWith(word) && !to[0]!.startsWith('probe'));
const statusOf = async (user: SignedUp, list: string) =>
  (await user.agent.get(`/api/email-lists/${list}`).expect(200)).body.confirmations;

describe('the outreach of one day of a new Free account', () => {
  it('reaches at most 50 strangers, over all features', async () => {
    const email = 'dana.okafor@gmail.com';
    const mallory = await app.user({ email });
    const [one, two, attested] = await Promise.all([newList(mallory), newList(mallory), newList(mallory)]);
    const counts: [path: string, mails: number][] = [];
    const walk = async (path: string, act: () => Promise<unknown>) => {
      await act();
      await settled(app);
      counts.push([path, mailed('s').length]);
    };
    const [single] = people(1, 's-single');

    await walk('one by one (10)', async () => {
      await add(mallory, one.id, single!).expect(201);
      for (const person of people(9, 's-added')) await add(mallory, one.id, person).expect(201);
    });
    await walk('resend (10)', async () => {
      for (const { id } of (await mallory.agent.get(`/api/email-lists/${one.id}/subscribers?limit=100`).expect(200))
        .body) {
        await mallory.agent.post(`/api/email-lists/${one.id}/subscribers/${id}/resend-confirmation`).expect(202);
      }
      await query(app, `update system_mails set created_at = created_at - interval '11 minutes'`);
      await query(app, `update subscriptions set opt_in_due_at = now() where opt_in_state = 'due'`);
    });
    await walk('delete and add again (5)', async () => {
      for (const { id, email: person } of (
        await mallory.agent.get(`/api/email-lists/${one.id}/subscribers?limit=5`).expect(200)
      ).body) {
        await mallory.agent.delete(`/api/email-lists/${one.id}/subscribers/${id}`).expect(204);
        await add(mallory, one.id, person).expect(201);
      }
    });
    await walk('referral invites (5)', async () => {
      for (const person of people(5, 's-invited'))
        await mallory.agent.post('/api/referrals/invite').send({ inviteeEmail: person }).expect(201);
    });
    await walk('public form of two lists (2 x 20)', async () => {
      for (const list of [one, two])
        for (const person of people(20, 's-visitor'))
          await subscribe(app, { email: person, emailListId: list.id }).expect(200);
    });
    await walk('import into two lists (2 x 60)', async () => {
      await Promise.all([one, two].map(({ id }) => importLines(mallory, id, people(60, 's-imported'))));
    });
    await walk('attested import, declined (30)', async () => {
      const job = await importLines(mallory, attested.id, people(30, 's-attested'), {
        attestation: 'They are all our customers, met at the fair in June.',
      });
      await admin.agent
        .post(`/api/admin/imports/${job}/decline`)
        .send({})
        .expect((answer) => expect([200, 201]).toContain(answer.status));
    });
    await walk('changed address (5)', async () => {
      for (const { id } of (await mallory.agent.get(`/api/email-lists/${one.id}/subscribers?limit=5`).expect(200))
        .body) {
        await mallory.agent
          .patch(`/api/email-lists/${one.id}/subscribers/${id}`)
          .send({ email: people(1, 's-moved')[0] })
          .expect(200);
      }
    });
    await walk('an alias of the owner: tag, dots (2 accounts x 20)', async () => {
      for (const alias of ['dana.okafor+two@gmail.com', 'd.a.n.a.okafor@googlemail.com']) {
        const account = await beside.user({ email: alias });
        const list = await newList(account);
        await importLines(account, list.id, people(20, 's-alias'));
        await account.agent
          .post('/api/referrals/invite')
          .send({ inviteeEmail: people(1, 's-alias-invited')[0] })
          .expect(429);
        for (const person of people(5, 's-alias-visitor'))
          await subscribe(beside, { email: person, emailListId: list.id }).expect(200);
      }
    });
    await walk('another time zone (20)', async () => {
      await query(app, `update users set time_zone = 'Pacific/Kiritimati' where id = ?`, [mallory.id]);
      await importLines(mallory, two.id, people(20, 's-zone'));
    });
    await walk('account deleted and registered again (20)', async () => {
      // Waits before the address changes. The old address has used up its budget; mails sent under another address
      // would have a new budget.
      await untilAccountSettled(app, mallory);
      await query(app, `update users set email = 'gone@gone.invalid', email_norm = 'gone@gone.invalid' where id = ?`, [
        mallory.id,
      ]);
      await query(app, `delete from users where id = ?`, [mallory.id]);
      const again = await app.user({ email });
      await importLines(again, (await newList(again)).id, people(20, 's-again'));
    });

    console.info(`paths: ${counts.map(([path, mails]) => `${path} → ${mails}`).join('; ')}`);
    expect(mailed('s').length).toBeLessThanOrEqual(50);
    expect(mailed('s').length).toBeGreaterThan(40);
    expect(mailed('s-visitor').length).toBeLessThanOrEqual(25);
    const [day] = await query<{ sent: number }>(
      app,
      `select own_sent + public_sent + invites_sent as sent from outreach_days where sender = ?`,
      [hashMailbox(email)],
    );
    expect(day!.sent).toBe(50);
  });

  it('is stopped while the account is unverified or suspended, and withdraws no mail of others', async () => {
    const [ghost, villain] = [await app.user({ verified: false }), await app.user()];
    const [closed, open] = [await newList(ghost), await newList(villain)];
    await app.http().get(`/api/email-lists/slug/${open.slug}`).expect(200);
    await add(ghost, closed.id, people(1, 'u-added')[0]!).expect(201);
    await query(app, `update users set suspended_at = now() where id = ?`, [villain.id]);
    await query(
      app,
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, source)
      select e, e, sha256(e::bytea), 'job-posts', e, ?, s from (values ('u-import@target.example', 'import'), ('u-public@target.example', 'public')) v(e, s)`,
      [open.id],
    );
    for (const list of [closed, open]) {
      await app.http().get(`/api/email-lists/slug/${list.slug}`).expect(404);
      await subscribe(app, { email: people(1, 'u-visitor')[0], emailListId: list.id }).expect(404);
    }
    await ghost.agent
      .post('/api/referrals/invite')
      .send({ inviteeEmail: people(1, 'u-invited')[0] })
      .expect(403);
    await settled(app);
    expect(mailed('u')).toEqual([]);
    expect(await statusOf(ghost, closed.id)).toMatchObject({ waiting: 1, hold: 'unverified' });
    await query(app, `update users set suspended_at = null where id = ?`, [villain.id]);
    await settled(app);
    expect(
      mailed('u')
        .map(({ to }) => to[0])
        .sort(),
    ).toEqual(['u-import@target.example', 'u-public@target.example']);
    await query(app, `update users set deleted_at = now() where id = ?`, [villain.id]);
    await app.http().get(`/api/email-lists/slug/${open.slug}`).expect(404);
    await subscribe(app, { email: people(1, 'u-visitor')[0], emailListId: open.id }).expect(404);
  });

  it('leaves the rest to the next day, and the list shows that', async () => {
    const user = await app.user();
    const list = await newList(user);
    const before = Date.now();
    await importLines(user, list.id, people(60, 't'));
    await settled(app);
    expect(mailed('t')).toHaveLength(40);
    const status = await statusOf(user, list.id);
    expect(status).toEqual({
      waiting: 20,
      hold: 'daily_budget',
      dailyBudget: 50,
      sentIn24Hours: 40,
      continuesAt: expect.stringMatching(/:00:00\.000Z$/),
    });
    // Each mail counts for 24 hours from its full hour on.
    expect(Date.parse(status.continuesAt)).toBeGreaterThan(before + 24 * HOUR_MS);
    expect(Date.parse(status.continuesAt)).toBeLessThanOrEqual(Date.now() + 25 * HOUR_MS);
    const visitor = people(1, 't-visitor')[0]!;
    await subscribe(app, { email: visitor, emailListId: list.id }).expect(200);
    await app.mails.waitFor(visitor);
    await daysLater(app, 1);
    await settled(app);
    expect(mailed('t')).toHaveLength(61);
    expect(await statusOf(user, list.id)).toMatchObject({ waiting: 0, hold: null, sentIn24Hours: 20 });
  });

  it('has no second budget after midnight: mails of the last 24 hours count, by the hour', async () => {
    const user = await app.user();
    const list = await newList(user);
    await importLines(user, list.id, people(20, 'm-'));
    await settled(app);
    await hoursLater(app, 10);
    await importLines(user, list.id, people(60, 'm-'));
    await settled(app);
    expect(mailed('m-')).toHaveLength(40);
    // Simulates that midnight passes.
    await query(app, `update outreach_days set day = day - 1 where sender = ?`, [hashMailbox(user.email)]);
    await hoursLater(app, 1);
    await settled(app);
    expect(
      (
        await user.agent
          .post('/api/referrals/invite')
          .send({ inviteeEmail: people(1, 'm-')[0] })
          .expect(429)
      ).headers['retry-after'],
    ).toMatch(/^\d{4,5}$/);
    for (const person of people(20, 'm-visitor'))
      await subscribe(app, { email: person, emailListId: list.id }).expect(200);
    await settled(app);
    expect(mailed('m-')).toHaveLength(50);
    const { continuesAt } = await statusOf(user, list.id);
    expect(Date.parse(continuesAt)).toBeLessThanOrEqual(Date.now() + 14 * HOUR_MS);
    // Only the first twenty mails are then older than the window.
    await hoursLater(app, 14);
    await settled(app);
    expect(mailed('m-')).toHaveLength(70);
  });

  it('has one budget over concurrent instances', async () => {
    const user = await app.user();
    const granted = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const instance = n % 2 ? app : beside;
        const budget = instance.get(OutreachBudget);
        const sender = (await budget.sendersOf([user.id])).get(user.id)!;
        return instance.em().transactional(async (em) => (await budget.take(em, [{ sender, own: 7 }]))[0]!.own);
      }),
    );
    expect(granted.reduce((sum, own) => sum + own, 0)).toBe(40);
  });

  it("reserves the owner's share against requests on public forms", async () => {
    const user = await app.user();
    const list = await newList(user);
    for (const person of people(40, 'f-visitor'))
      await subscribe(app, { email: person, emailListId: list.id }).expect(200);
    await settled(app);
    expect(mailed('f-visitor')).toHaveLength(25);
    await importLines(user, list.id, people(40, 'f-own'));
    await settled(app);
    expect(mailed('f-own')).toHaveLength(25);
  });

  it('is 500 on Pro, and is stopped for senders whose people do not confirm or do not exist', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const list = await newList(user);
    expect(await statusOf(user, list.id)).toMatchObject({ dailyBudget: 500 });
    const sender = hashMailbox(user.email);
    const record = (ago: number, sent: number, confirmed: number, bounced: number) =>
      query(
        app,
        `insert into outreach_days (sender, day, own_sent, own_confirmed, own_bounced) values (?, (now() at time zone 'UTC')::date - ?::int, ?, ?, ?)`,
        [sender, ago, sent, confirmed, bounced],
      );
    await record(2, 400, 0, 0);
    await add(user, list.id, people(1, 'pro-')[0]!).expect(201);
    await settled(app);
    expect(mailed('pro-')).toHaveLength(1);
    await record(3, 100, 4, 0);
    await add(user, list.id, people(1, 'pro-')[0]!).expect(201);
    await settled(app);
    expect(mailed('pro-')).toHaveLength(1);
    expect(await statusOf(user, list.id)).toMatchObject({ waiting: 1, hold: 'few_confirmed' });
    expect(
      (
        await user.agent
          .post('/api/referrals/invite')
          .send({ inviteeEmail: people(1, 'pro-')[0] })
          .expect(403)
      ).body.code,
    ).toBe('outreach_stopped');
    await query(app, `update outreach_days set own_bounced = 30 where sender = ? and own_sent = 400`, [sender]);
    expect(await statusOf(user, list.id)).toMatchObject({ hold: 'many_bounced' });
    await query(
      app,
      `update outreach_days set own_bounced = 0, own_confirmed = case own_sent when 100 then 90 else 0 end where sender = ?`,
      [sender],
    );
    await settled(app);
    expect(mailed('pro-')).toHaveLength(2);
    expect((await statusOf(user, list.id)).dailyBudget).toBeGreaterThan(2000);
  });
});
