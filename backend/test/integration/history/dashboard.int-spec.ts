import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Day, app, sql, stats, trends, outcomes, newList, addContact, recordSend } from './support.js';

const figures = ({ date: _date, ...rest }: Day) => rest;
const nothing = { sends: 0, sent: 0, unconfirmed: 0, failed: 0, bounced: 0, contactsAdded: 0, unsubscribed: 0 };

describe('the dashboard of a new account', () => {
  it('shows zeros, with 30 days that end today', async () => {
    const user = await app.user();
    expect(await stats(user)).toEqual({
      emailsSentToday: 0,
      totalLists: 0,
      activeLists: 0,
      totalContacts: 0,
      tier: 'free',
      recentActivity: [],
    });
    const days = await trends(user);
    expect(days).toHaveLength(30);
    expect(days.map(figures)).toEqual(Array(30).fill(nothing));
    expect(days.at(-1)!.date).toBe(new Date().toISOString().slice(0, 10));
    expect(await outcomes(user)).toEqual([]);
  });

  it('requires a session', async () => {
    for (const name of ['stats', 'trends', 'outcomes']) await app.http().get(`/api/dashboard/${name}`).expect(401);
  });
});

describe("the dashboard's figures", () => {
  it('count own lists only, with their events newest first', async () => {
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
      totalLists: 2,
      activeLists: 1,
      totalContacts: 2,
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
    const { body: job } = await user.agent
      .post(`/api/email-lists/${list}/subscribers/import`)
      .send({ lines })
      .expect(202);
    for (let status = ''; status !== 'done';)
      status = (await user.agent.get(`/api/email-lists/${list}/subscribers/import/${job.id}`).expect(200)).body.status;
    await recordSend(user, new Date().toISOString(), [], 'Java lead, Dallas');
    expect(
      (await stats(user)).recentActivity.map(
        ({ action, name }: { action: string; name: string }) => `${action}: ${name}`,
      ),
    ).toEqual([
      'Email sent: Java lead, Dallas',
      'Contact added: 12 contacts imported to Java vendors',
      'List created: Java vendors',
    ]);
    for (let i = 0; i < 12; i += 1) await recordSend(user, new Date(Date.now() + i).toISOString(), [], `Send ${i}`);
    expect((await stats(user)).recentActivity).toHaveLength(10);
  });

  it('include the newest events of any number of lists', async () => {
    const user = await app.user();
    // 30 lists with three contacts each; their events are spread over the last 900 minutes, independent of the lists'
    // order.
    await sql(
      `insert into email_lists (name, slug, owner_id, created_at) select 'List ' || n, 'many-' || n, ?, now() - interval '2 days' from generate_series(1, 30) n`,
      [user.id],
    );
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
    expect(
      (await stats(user)).recentActivity.map(
        ({ action, name }: { action: string; name: string }) => `${action}: ${name}`,
      ),
    ).toEqual(expected.map(({ line }) => line));
  });

  it("show the plan in force and today's sends", async () => {
    const user = await app.user();
    await sql(`update users set referral_access_until = now() + interval '1 day' where id = ?`, [user.id]);
    await sql(`insert into usage_tracking (user_id, date, emails_sent) values (?, current_date, 3)`, [user.id]);
    expect(await stats(user)).toMatchObject({ tier: 'pro', emailsSentToday: 3 });
  });
});

describe("the dashboard's days", () => {
  it("begin at midnight in the user's time zone", async () => {
    const user = await app.user({ set: { time_zone: 'Asia/Kathmandu' } });
    const list = await newList(user);
    const days = await trends(user);
    const day = days[10]!.date;
    // In UTC+05:45, midnight is at 18:15 UTC of the day before.
    const midnight = Date.parse(`${day}T00:00:00Z`) - 5.75 * 3_600_000;
    const at = (ms: number) => new Date(midnight + ms).toISOString();
    await recordSend(user, at(-1), ['sent']);
    await recordSend(user, at(0), ['sent', 'failed']);
    await recordSend(user, new Date(Date.parse(`${days[0]!.date}T00:00:00Z`) - 5.75 * 3_600_000 - 1).toISOString(), [
      'sent',
    ]);
    for (const [email, ms] of [
      ['before@x.test', -1],
      ['after@x.test', 0],
    ] as const) {
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

  it('count unsubscribed contacts, unless it was undone', async () => {
    const user = await app.user();
    const list = await newList(user);
    for (const email of ['stays@vendor.example', 'leaves@vendor.example']) {
      const id = await addContact(user, list, email);
      const [{ token }] = (await sql<{ token: string }>(
        `select unsubscribe_token as token from subscriptions where id = ?`,
        [id],
      )) as [{ token: string }];
      await app.http().post(`/api/unsubscribe/${token}`).expect(200);
      if (email.startsWith('stays')) await app.http().post(`/api/unsubscribe/${token}/undo`).expect(200);
    }
    expect((await trends(user)).at(-1)).toMatchObject({ contactsAdded: 2, unsubscribed: 1 });
    const { totalContacts, recentActivity } = await stats(user);
    expect(totalContacts).toBe(1);
    expect(recentActivity[0]).toMatchObject({ action: 'Contact unsubscribed', name: 'leaves@vendor.example' });
  });
});
