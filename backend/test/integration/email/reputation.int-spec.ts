import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SenderReputation } from '../../../src/modules/bounces/sender-reputation.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Records a send from some days ago with messages in these statuses. */
async function sendOf(userId: string, daysAgo: number, counts: Record<string, number>): Promise<void> {
  const em = app.em();
  const id = randomUUID();
  await rows(
    em,
    `insert into email_history (id, user_id, subject, content, email_type, status, recipient_count, sent_at, usage_date, content_hash, sender_name, reply_to)
     values (?, ?, 's', 'c', 'job-post', 'sent', 1, now() - make_interval(days => ?::int), current_date, ?, 'n', 'n@x.test')`,
    [id, userId, daysAgo, id],
  );
  let first = 0;
  for (const [status, count] of Object.entries(counts)) {
    await rows(
      em,
      `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
       select ?, ?, ? + n, gen_random_uuid(), gen_random_uuid(), 'r' || n || '@x.test', 's', ? from generate_series(1, ?::int) n`,
      [userId, id, first, status, count],
    );
    first += count;
  }
}

it('shows rates of 7 and 30 days and flags senders above the thresholds', async () => {
  const [good, watched, bad, small] = await Promise.all([app.user(), app.user(), app.user(), app.user()]);
  await sendOf(good!.id, 1, { sent: 1999, complained: 1, bounced: 10, failed: 5 });
  await sendOf(watched!.id, 20, { sent: 998, complained: 2 });
  await sendOf(bad!.id, 2, { sent: 500 });
  await sendOf(bad!.id, 12, { sent: 495, unconfirmed: 2, complained: 4 });
  await sendOf(bad!.id, 40, { sent: 1000 });
  await sendOf(small!.id, 3, { sent: 99, complained: 1 });
  const reputation = app.get(SenderReputation);
  const [one] = await reputation.of([good!.id]);
  expect(one).toMatchObject({
    flag: 'none',
    last7Days: { mails: 2010, bounced: 10, complained: 1, bounceRate: 0.004975, complaintRate: 0.000498 },
  });
  const { rows: all, total } = await reputation.page({ from: 0, limit: 50 });
  expect(total).toBe(4);
  expect(all.map(({ userId, flag }) => [userId, flag]).slice(0, 2)).toEqual([
    [bad!.id, 'alert'],
    [watched!.id, 'watch'],
  ]);
  expect(all.find(({ userId }) => userId === small!.id)!.flag).toBe('none');
  expect(all[0]).toMatchObject({
    last7Days: { mails: 500, complained: 0 },
    last30Days: { mails: 1001, complained: 4, complaintRate: 0.003996 },
  });
  expect(await reputation.page({ flagged: true, from: 1, limit: 1 })).toMatchObject({
    total: 2,
    rows: [{ userId: watched!.id, flag: 'watch' }],
  });
  expect(await reputation.page({ flagged: true, from: 9, limit: 1 })).toEqual({ total: 2, rows: [] });
  const admin = await app.user({ admin: true });
  const listed = async (query: string) =>
    (await admin.agent.get(`/api/admin/senders?limit=1${query}`).expect(200)) as unknown as {
      body: { email: string; flag: string }[];
      headers: Record<string, string>;
    };
  expect((await listed('')).body).toMatchObject([{ email: bad!.email, flag: 'alert' }]);
  expect((await listed('')).headers['x-total-count']).toBe('4');
  expect((await listed('&cursor=1')).body).toMatchObject([{ email: watched!.email }]);
  expect((await listed(`&search=${small!.email}`)).body).toMatchObject([{ email: small!.email, flag: 'none' }]);
  expect((await listed(`&only=flagged&search=${small!.email}`)).body).toEqual([]);
  expect((await admin.agent.get('/api/admin/overview').expect(200)).body.flaggedUsers).toBe(2);
  expect(await reputation.of([randomUUID()])).toMatchObject([{ flag: 'none', last7Days: { mails: 0, bounceRate: 0 } }]);
});
