import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TallyCompactor } from '../../../src/modules/history/tally-compactor.service.js';
import { TrendCompactor } from '../../../src/modules/lists/jobs/trend-compactor.js';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

interface Day {
  date: string;
  sends: number;
  sent: number;
  failed: number;
  bounced: number;
  contactsAdded: number;
  unsubscribed: number;
}

let app: TestApp;
const sql = <T extends object = object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const stats = async (user: SignedUp) => (await user.agent.get('/api/dashboard/stats').expect(200)).body;
const trends = async (user: SignedUp): Promise<Day[]> => (await user.agent.get('/api/dashboard/trends').expect(200)).body;
const outcomes = async (user: SignedUp) => (await user.agent.get('/api/dashboard/outcomes').expect(200)).body;
const figures = ({ date: _date, ...rest }: Day) => rest;
const nothing = { sends: 0, sent: 0, failed: 0, bounced: 0, contactsAdded: 0, unsubscribed: 0 };

async function newList(user: SignedUp, name = 'Java vendors'): Promise<string> {
  return (await user.agent.post('/api/email-lists').send({ name }).expect(201)).body.id;
}

async function addContact(user: SignedUp, listId: string, email: string): Promise<string> {
  return (await user.agent.post(`/api/email-lists/${listId}/subscribers`).send({ email }).expect(201)).body.id;
}

/** A record of a send at a time, with deliveries at these statuses. */
async function recordSend(user: SignedUp, sentAt: string, statuses: string[] = [], subject = 'A job'): Promise<string> {
  const id = randomUUID();
  await sql(
    `insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, sent_at, usage_date, content_hash, sender_name, reply_to)
     values (?, ?, ?, 'x', 'job-post', ?, 'sent', ?, current_date, ?, 'Ann', 'ann@sender.test')`,
    [id, user.id, subject, statuses.length, sentAt, id],
  );
  await sql(
    `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
     select ?, ?, ord, gen_random_uuid(), gen_random_uuid(), 'p' || ord || '@people.test', ?, status from jsonb_array_elements_text(?::jsonb) with ordinality as s(status, ord)`,
    [user.id, id, subject, JSON.stringify(statuses)],
  );
  return id;
}

describe('the dashboard of a new account', () => {
  it('is all zeros, with 30 days that end today', async () => {
    const user = await app.user();
    expect(await stats(user)).toEqual({ emailsSentToday: 0, totalLists: 0, activeLists: 0, totalContacts: 0, tier: 'free', recentActivity: [] });
    const days = await trends(user);
    expect(days).toHaveLength(30);
    expect(days.map(figures)).toEqual(Array(30).fill(nothing));
    expect(days.at(-1)!.date).toBe(new Date().toISOString().slice(0, 10));
    expect(await outcomes(user)).toEqual([]);
  });

  it('is closed to visitors', async () => {
    for (const name of ['stats', 'trends', 'outcomes']) await app.http().get(`/api/dashboard/${name}`).expect(401);
  });
});

describe('the figures', () => {
  it('count own lists only, and what happened there, newest first', async () => {
    const [user, other, admin] = await Promise.all([app.user(), app.user(), app.user({ admin: true })]);
    const list = await newList(user);
    await newList(user, 'Empty');
    await addContact(user, list, 'first@vendor.example');
    const second = await addContact(user, list, 'second@vendor.example');
    await sql(`update subscriptions set confirmed = true, confirmed_at = now() where id = ?`, [second]);
    await addContact(other, await newList(other, 'Not mine'), 'foreign@vendor.example');
    const [network] = await sql<{ id: string }>(`select id from email_lists where is_default`);
    await addContact(admin, network!.id, 'network@vendor.example');
    expect(await stats(user)).toMatchObject({
      totalLists: 2, activeLists: 1, totalContacts: 2,
      recentActivity: [
        { action: 'Contact confirmed', name: 'second@vendor.example', time: expect.stringMatching(/^\d{4}-.*Z$/) },
        { action: 'Contact added', name: 'second@vendor.example' },
        { action: 'Contact added', name: 'first@vendor.example' },
        { action: 'List created', name: 'Empty' },
        { action: 'List created', name: 'Java vendors' },
      ],
    });
    expect(await stats(admin)).toMatchObject({ totalLists: 0, totalContacts: 0, recentActivity: [] });
    expect((await trends(user)).at(-1)).toMatchObject({ contactsAdded: 2, unsubscribed: 0 });
  });

  it('show an import as one entry and the sends by their subjects, ten at most', async () => {
    const user = await app.user();
    const list = await newList(user);
    const lines = Array.from({ length: 12 }, (_, i) => `i${i}@vendor.example`);
    const { body: job } = await user.agent.post(`/api/email-lists/${list}/subscribers/import`).send({ lines }).expect(202);
    for (let status = ''; status !== 'done';) status = (await user.agent.get(`/api/email-lists/${list}/subscribers/import/${job.id}`).expect(200)).body.status;
    await recordSend(user, new Date().toISOString(), [], 'Java lead, Dallas');
    expect((await stats(user)).recentActivity.map(({ action, name }: { action: string; name: string }) => `${action}: ${name}`)).toEqual([
      'Email sent: Java lead, Dallas', 'Contact added: 12 contacts imported to Java vendors', 'List created: Java vendors',
    ]);
    for (let i = 0; i < 12; i += 1) await recordSend(user, new Date(Date.now() + i).toISOString(), [], `Send ${i}`);
    expect((await stats(user)).recentActivity).toHaveLength(10);
  });

  it('are the newest of all lists, however many lists there are', async () => {
    const user = await app.user();
    // 30 lists; what happened on them, to three contacts each, is spread over the last 900 minutes in no order of the lists.
    await sql(`insert into email_lists (name, slug, owner_id, created_at) select 'List ' || n, 'many-' || n, ?, now() - interval '2 days' from generate_series(1, 30) n`, [user.id]);
    await sql(
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, created_at, confirmed, confirmed_at, unsubscribed_at, suppressed, import_id, opt_in_state)
       select 'm' || n || '@people.test', 'm' || n || '@people.test', sha256(n::text::bytea), 'job-posts', 'many' || n, l.id, now() - make_interval(mins => (10 * (n * 7 % 90) + 500)::int),
         n % 2 = 0, case when n % 2 = 0 then now() - make_interval(mins => (10 * (n * 11 % 90) + 3)::int) end, case when n % 5 = 0 then now() - make_interval(mins => (10 * (n * 13 % 90) + 6)::int) end,
         case when n % 5 = 0 then 'unsubscribed' end, case when n % 3 = 0 then gen_random_uuid() end, 'none'
       from (select id, row_number() over (order by id) as at from email_lists where owner_id = ?) l, lateral (select l.at * 3 + c as n from generate_series(0, 2) c) s`,
      [user.id],
    );
    const expected = await sql<{ line: string }>(
      `select e.action || ': ' || c.email as line from subscriptions c join email_lists l on l.id = c.email_list_id cross join lateral (
         values ('Contact added', case when c.import_id is null then c.created_at end), ('Contact confirmed', c.confirmed_at), ('Contact unsubscribed', c.unsubscribed_at)) e(action, time)
       where l.owner_id = ? and e.time is not null order by e.time desc limit 10`,
      [user.id],
    );
    expect((await stats(user)).recentActivity.map(({ action, name }: { action: string; name: string }) => `${action}: ${name}`)).toEqual(expected.map(({ line }) => line));
  });

  it('tell the plan in force and the sends of today', async () => {
    const user = await app.user();
    await sql(`update users set referral_access_until = now() + interval '1 day' where id = ?`, [user.id]);
    await sql(`insert into usage_tracking (user_id, date, emails_sent) values (?, current_date, 3)`, [user.id]);
    expect(await stats(user)).toMatchObject({ tier: 'pro', emailsSentToday: 3 });
  });
});

describe('the days', () => {
  it('begin at midnight of the user', async () => {
    const user = await app.user({ set: { time_zone: 'Asia/Kathmandu' } });
    const list = await newList(user);
    const days = await trends(user);
    const day = days[10]!.date;
    // 05:45 ahead of UTC: midnight there is 18:15 of the day before.
    const midnight = Date.parse(`${day}T00:00:00Z`) - 5.75 * 3_600_000;
    const at = (ms: number) => new Date(midnight + ms).toISOString();
    await recordSend(user, at(-1), ['sent']);
    await recordSend(user, at(0), ['sent', 'failed']);
    await recordSend(user, new Date(Date.parse(`${days[0]!.date}T00:00:00Z`) - 5.75 * 3_600_000 - 1).toISOString(), ['sent']);
    for (const [email, ms] of [['before@x.test', -1], ['after@x.test', 0]] as const) {
      await sql(
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, created_at) values (?, ?, sha256(?::bytea), 'job-posts', ?, ?, ?)`,
        [email, email, email, randomUUID(), list, at(ms)],
      );
    }
    const after = await trends(user);
    expect(figures(after[9]!)).toEqual({ ...nothing, sends: 1, sent: 1, contactsAdded: 1 });
    expect(figures(after[10]!)).toEqual({ ...nothing, sends: 1, sent: 1, failed: 1, contactsAdded: 1 });
    expect(after.reduce((sum, one) => sum + one.sends, 0)).toBe(2);
  });

  it('count who left, unless it was undone', async () => {
    const user = await app.user();
    const list = await newList(user);
    for (const email of ['stays@vendor.example', 'leaves@vendor.example']) {
      const id = await addContact(user, list, email);
      const [{ token }] = (await sql<{ token: string }>(`select unsubscribe_token as token from subscriptions where id = ?`, [id])) as [{ token: string }];
      await app.http().post(`/api/unsubscribe/${token}`).expect(200);
      if (email.startsWith('stays')) await app.http().post(`/api/unsubscribe/${token}/undo`).expect(200);
    }
    expect((await trends(user)).at(-1)).toMatchObject({ contactsAdded: 2, unsubscribed: 1 });
    const { totalContacts, recentActivity } = await stats(user);
    expect(totalContacts).toBe(1);
    expect(recentActivity[0]).toMatchObject({ action: 'Contact unsubscribed', name: 'leaves@vendor.example' });
  });
});

describe('the outcome of sends', () => {
  it('follows every settling and every later verdict, whoever writes it at the same time', async () => {
    const user = await app.user();
    const statuses = Array.from({ length: 40 }, () => 'queued');
    const id = await recordSend(user, new Date().toISOString(), statuses, 'Busy');
    const settle = (from: number, to: number, status: string) =>
      sql(`update email_delivery_logs set status = ? where history_id = ? and position between ? and ?`, [status, id, from, to]);
    await settle(1, 40, 'sending');
    expect(await outcomes(user)).toMatchObject([{ sent: 0, failed: 0, bounced: 0, skipped: 0 }]);
    await Promise.all([settle(1, 10, 'sent'), settle(11, 20, 'unconfirmed'), settle(21, 25, 'failed'), settle(26, 30, 'skipped'), settle(31, 40, 'deferred')]);
    expect(await outcomes(user)).toMatchObject([{ id, subject: 'Busy', sent: 20, failed: 5, bounced: 0, skipped: 5 }]);
    await Promise.all([settle(1, 2, 'bounced'), settle(3, 4, 'complained'), settle(31, 40, 'sent'), settle(21, 21, 'sent')]);
    expect(await outcomes(user)).toMatchObject([{ sent: 29, failed: 4, bounced: 2, skipped: 5 }]);
    expect((await trends(user)).at(-1)).toMatchObject({ sends: 1, sent: 29, failed: 4, bounced: 2 });
  });

  it('is the same as counting the rows, and goes with the account', async () => {
    const user = await app.user();
    await recordSend(user, new Date().toISOString(), ['sent', 'bounced', 'failed', 'queued', 'complained']);
    await addContact(user, await newList(user), 'someone@vendor.example');
    const counted = await sql(`select status, count(*)::int as n from email_delivery_logs where user_id = ? and status <> 'queued' group by 1 order by 1`, [user.id]);
    expect(counted).toEqual([{ status: 'bounced', n: 1 }, { status: 'complained', n: 1 }, { status: 'failed', n: 1 }, { status: 'sent', n: 1 }]);
    expect(await outcomes(user)).toMatchObject([{ sent: 2, failed: 1, bounced: 1 }]);
    expect(await sql(`select added from contact_trends where owner_id = ?`, [user.id])).toEqual([{ added: 1 }]);
    await sql(`delete from users where id = ?`, [user.id]);
    expect(await sql(`select 1 from delivery_tallies t where not exists (select 1 from email_history h where h.id = t.history_id)`)).toEqual([]);
    expect(await sql(`select 1 from contact_trends where owner_id = ?`, [user.id])).toEqual([]);
  });

  it('stays the same while it is added up', async () => {
    const user = await app.user();
    const list = await newList(user);
    const id = await recordSend(user, new Date().toISOString(), ['queued', 'queued', 'queued', 'queued']);
    const settle = (position: number, status: string) => sql(`update email_delivery_logs set status = ? where history_id = ? and position = ?`, [status, id, position]);
    await Promise.all([settle(1, 'sent'), settle(2, 'sent'), settle(3, 'failed'), addContact(user, list, 'a@vendor.example'), addContact(user, list, 'b@vendor.example')]);
    await sql(`update contact_trends set quarter = quarter - interval '2 hours' where owner_id = ?`, [user.id]);
    const before = [await trends(user), await outcomes(user)];
    const compact = () => Promise.all([app.get(TallyCompactor).compact(), app.get(TrendCompactor).compact()]);
    await Promise.all([compact(), compact()]);
    expect([await trends(user), await outcomes(user)]).toEqual(before);
    expect(await sql(`select backend, sent, failed from delivery_tallies where history_id = ?`, [id])).toEqual([{ backend: 0, sent: 2, failed: 1 }]);
    expect(await sql(`select backend, added from contact_trends where owner_id = ?`, [user.id])).toEqual([{ backend: 0, added: 2 }]);
    await settle(1, 'bounced');
    await settle(4, 'sent');
    await compact();
    expect(await outcomes(user)).toMatchObject([{ sent: 2, failed: 1, bounced: 1 }]);
  });

  it('shows ten sends, newest first, nobody else\'s', async () => {
    const [user, other] = await Promise.all([app.user(), app.user()]);
    await recordSend(other, new Date().toISOString(), ['sent']);
    for (let i = 0; i < 12; i += 1) await recordSend(user, new Date(Date.now() - i * 60_000).toISOString(), ['sent'], `Send ${i}`);
    expect((await outcomes(user)).map((send: { subject: string }) => send.subject)).toEqual(Array.from({ length: 10 }, (_, i) => `Send ${i}`));
  });
});
