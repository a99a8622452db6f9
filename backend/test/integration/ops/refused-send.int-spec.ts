import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendsReport } from '../../../src/cli/sends-report.js';
import { WaitingSends } from '../../../src/modules/schedules/index.js';
import { OpenSends } from '../../../src/modules/sending/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';

const TOKEN = 'scraper-0123456789';

let app: TestApp;
beforeAll(async () => void (app = await startApp({ env: { METRICS_TOKEN: TOKEN, ROLE: 'web' } })));
afterAll(() => app.close());

/** Inserts a send with waiting messages. `backlogs` maps names of backlogs to their numbers of messages. */
async function waiting(userId: string, backlogs: Record<string, number>, id = crypto.randomUUID()): Promise<string> {
  await rows(
    app.em(),
    `with send as (
       insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, usage_date, content_hash, sender_name, reply_to)
       values (?, ?, 'Java', 'Hello', 'job-post', 100, 'pending', current_date, 'hash', 'Ann', 'ann@holders.test') returning id
     ) insert into delivery_backlogs (history_id, provider, account, waiting)
     select send.id, replace(key, 'SEND', send.id::text), 'smtp', value::int from send, jsonb_each_text(?::jsonb)`,
    [id, userId, JSON.stringify(backlogs)],
  );
  return id;
}

it('mail of a refused send that waits on its own is shown by its domain and the begin of its id', async () => {
  const admin = await app.user({ admin: true });
  const id = await waiting(admin.id, { 'gmail.com/SEND': 40, 'acme.test/SEND': 30, 'acme.test': 7, google: 12 });
  const names = [`gmail.com (refused send ${id.slice(0, 8)})`, `acme.test (refused send ${id.slice(0, 8)})`];

  const { body } = await admin.agent.get('/api/admin/provider-rates').expect(200);
  expect((body as { provider: string; waiting: number }[]).map(({ provider, waiting: n }) => [provider, n])).toEqual([
    [names[0], 40],
    [names[1], 30],
    ['google', 12],
    ['acme.test', 7],
  ]);

  const report = await sendsReport(new OpenSends(app.em()), new WaitingSends(app.em()));
  for (const name of names) expect(report.split(name)).toHaveLength(3);
  expect(report).not.toContain(`/${id}`);

  const { text } = await app.http().get('/api/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200);
  const labels = text.split('\n').filter((line) => line.startsWith('staffcast_deliveries_backlog{'));
  expect(labels.sort()).toEqual([
    'staffcast_deliveries_backlog{provider="gmail"} 40',
    'staffcast_deliveries_backlog{provider="other"} 30',
  ]);
});
