/**
 * The dashboard's calls for an account with 1,000,000 contacts and 1,000,000 deliveries. Prints the times of 200 calls
 * each, and fails if the median is 50 ms or more. (The slowest times depend on the machine, so compare them between
 * runs.) Run it alone:
 * npm run services -- npm test -w backend -- --testRegex 'dashboard\.bench\.ts$'
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contactTrendsFill } from '../../migrations/sql/contact-trends.sql.js';
import { deliveryTalliesFill } from '../../migrations/sql/delivery-tallies.sql.js';
import { SendTrends } from '../../src/modules/history/dashboard/send-trends.service.js';
import { TallyCompactor } from '../../src/modules/history/send-totals-reader.service.js';
import { ListActivity, Lists } from '../../src/modules/lists/index.js';
import { TrendCompactor } from '../../src/modules/lists/my-lists/list-activity.service.js';
import { rows } from '../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../kit/app.js';
import type { SignedUp } from '../kit/users.js';

const ROWS = 1_000_000;
const LISTS = Number(process.env.BENCH_LISTS ?? 5000);
const SENDS = 1000;
const LIMIT_MS = 50;

let app: TestApp;
let user: SignedUp;
const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);

beforeAll(async () => {
  app = await startApp();
  user = await app.user({ set: { time_zone: 'America/New_York' } });
  await sql(`alter table subscriptions disable trigger user`);
  await sql(`alter table email_delivery_logs disable trigger user`);
  await sql(
    `insert into email_lists (name, slug, owner_id) select 'List ' || i, 'bench-' || i, ? from generate_series(1, ${LISTS}) i`,
    [user.id],
  );
  await sql(
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, created_at, confirmed, confirmed_at, unsubscribed_at, suppressed, import_id, opt_in_state)
     select 'p' || i || '@people.test', 'p' || i || '@people.test', sha256(i::text::bytea), 'job-posts', 't' || i, l.ids[1 + i % ${LISTS}],
       now() - interval '45 days' * (i::float / ${ROWS}), i % 5 > 0, case when i % 5 > 0 then now() - interval '44 days' * (i::float / ${ROWS}) end,
       case when i % 50 = 0 then now() - interval '40 days' * (i::float / ${ROWS}) end, case when i % 50 = 0 then 'unsubscribed' end,
       case when i % 10 > 0 then gen_random_uuid() end, 'none'
     from generate_series(1, ${ROWS}) i, (select array_agg(id order by id) as ids from email_lists where owner_id = ?) l`,
    [user.id],
  );
  await sql(
    `insert into email_history (user_id, subject, content, email_type, recipient_count, status, sent_at, usage_date, content_hash, sender_name, reply_to)
     select ?, 'Send ' || i, 'x', 'job-post', ${ROWS / SENDS}, 'sent', now() - interval '29 days' * (i::float / ${SENDS}), current_date, 'h' || i, 'Ann', 'ann@sender.test' from generate_series(1, ${SENDS}) i`,
    [user.id],
  );
  await sql(
    `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
     select h.user_id, h.id, p, gen_random_uuid(), gen_random_uuid(), 'p' || p || '@people.test', h.subject, (array['sent', 'sent', 'sent', 'failed', 'bounced', 'unconfirmed'])[1 + p % 6]
     from email_history h, generate_series(1, ${ROWS / SENDS}) p where h.user_id = ?`,
    [user.id],
  );
  await sql(contactTrendsFill);
  await sql(deliveryTalliesFill);
  // Adds counter rows as sixteen workers, and eight connections that add contacts all the time, would leave them.
  await sql(
    `insert into delivery_tallies (history_id, backend, sent) select history_id, b, 0 from delivery_tallies, generate_series(1, 15) b`,
  );
  await sql(
    `insert into contact_trends (owner_id, quarter, backend, added) select owner_id, quarter, b, 0 from contact_trends, generate_series(1, 7) b`,
  );
  await sql(
    `update email_lists l set contact_count = c.n, confirmed_count = c.confirmed
     from (select email_list_id, count(*) as n, count(*) filter (where confirmed) as confirmed from subscriptions group by 1) c where c.email_list_id = l.id`,
  );
  await sql(`alter table subscriptions enable trigger user`);
  await sql(`alter table email_delivery_logs enable trigger user`);
  // The hourly compaction leaves one tally row per ended send, and one trend row per quarter of an hour except for
  // those of the last hour.
  await app.get(TallyCompactor).compact();
  await app.get(TrendCompactor).compact();
  for (const table of [
    'subscriptions',
    'email_delivery_logs',
    'email_history',
    'email_lists',
    'contact_trends',
    'delivery_tallies',
  ])
    await sql(`vacuum analyze ${table}`);
}, 900_000);
afterAll(() => app.close(), 120_000);

/** Runs a call 200 times and prints the times. @returns the median */
async function timed(name: string, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  const [median, slow] = [0.5, 0.95].map((part) => times.toSorted((a, b) => a - b)[Math.floor(part * times.length)]!);
  process.stdout.write(
    `${name}: median ${median!.toFixed(1)} ms, p95 ${slow!.toFixed(1)} ms, first ${times[0]!.toFixed(1)} ms\n`,
  );
  return median!;
}

it.each(['stats', 'trends', 'outcomes'])(
  'answers %s within 50 ms',
  async (name) => {
    expect(
      await timed(`GET /api/dashboard/${name}`, () => user.agent.get(`/api/dashboard/${name}`).expect(200)),
    ).toBeLessThan(LIMIT_MS);
  },
  120_000,
);

it("measures the times of the dashboard's calls", async () => {
  const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
  await timed('GET /api/auth/user, for comparison', () => user.agent.get('/api/auth/user').expect(200));
  await timed('Lists.totalsOf', () => app.get(Lists).totalsOf(user.id));
  await timed('ListActivity.newest', () => app.get(ListActivity).newest(user.id, 10));
  await timed('ListActivity.daysSince', () => app.get(ListActivity).daysSince(user.id, 'America/New_York', from));
  await timed('SendTrends.daysSince', () => app.get(SendTrends).daysSince(user.id, 'America/New_York', from));
}, 120_000);
