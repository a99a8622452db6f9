import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendsReport } from '../../../src/cli/sends-report.js';
import { WaitingSends } from '../../../src/modules/schedules/index.js';
import { OpenSends } from '../../../src/modules/sending/index.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { seedList, send } from '../sending/support.js';
import { until } from '../../kit/until.js';

const TOKEN = 'scraper-0123456789';

let app: TestApp;

// Port 1 has no listener.
beforeAll(async () => void (app = await startApp({ env: { METRICS_TOKEN: TOKEN, SMTP_URL: 'smtp://127.0.0.1:1' } })));
afterAll(() => app.close());

it('a send that waits for an unreachable mail server is shown by the metrics and by npm run admin -- sends', async () => {
  const user = await app.user();
  const id = await send(user, await seedList(app, user, { count: 3 }));
  const scrape = async (): Promise<string> =>
    (await app.http().get('/api/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200)).text;
  await until(async () => (await scrape()).includes('staffcast_mail_account_failing{account="smtp"} 1'));
  let report = '';
  // One of the three may be in the state sending at times, while a worker tries again.
  await until(async () => {
    report = await sendsReport(new OpenSends(app.em()), new WaitingSends(app.em()));
    return report.includes('3 queued');
  });
  expect(report).toMatch(/smtp \(default\): failing since \d{4}-.*: The mail server could not be reached/);
  expect(report).toContain(id);
  expect(report).not.toContain('p1@people.test');
});
