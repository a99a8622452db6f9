import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { startApp, type TestApp } from '../../kit/app.js';

const TOKEN = 'scraper-0123456789';

let app: TestApp;

beforeAll(async () => void (app = await startSending({ sweepMs: 3_600_000 }, { env: { METRICS_TOKEN: TOKEN } })));
afterAll(() => app.close());

const scrape = async (): Promise<string> =>
  (
    await app
      .http()
      .get('/api/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200)
      .expect('content-type', /text\/plain/)
  ).text;
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );

describe('GET /api/metrics', () => {
  it('is open to admins and to scrapers with the token', async () => {
    const [user, admin] = [await app.user(), await app.user({ admin: true })];
    await app.http().get('/api/metrics').expect(401);
    await app.http().get('/api/metrics').set('Authorization', 'Bearer wrong').expect(401);
    await user.agent.get('/api/metrics').expect(403);
    await admin.agent.get('/api/metrics').expect(200);
    expect(await scrape()).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('refuses every bearer token where none is configured', async () => {
    const other = await startApp({ beside: app });
    try {
      await other.http().get('/api/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(401);
      await other.http().get('/api/metrics').set('Authorization', 'Bearer undefined').expect(401);
    } finally {
      await other.close();
    }
  });

  it('counts requests by the pattern of their route, never by their path', async () => {
    const { agent } = await app.user();
    await agent.get('/api/email-lists/0b4f2a62-0000-4000-8000-000000000000').expect(404);
    await app.http().get('/api/no-such-thing').expect(404);
    const text = await scrape();
    expect(
      valueOf(text, 'staffcast_http_request_seconds_count{method="GET",route="/api/email-lists/:id",status="404"}'),
    ).toBe(1);
    expect(text).not.toContain('0b4f2a62');
    expect(text).not.toContain('no-such-thing');
  });

  it('shows the pool, every queue, waiting mail, and the outcomes of a send', async () => {
    const user = await app.user({ set: { custom_daily_limit: '5' } });
    await settled(user, await send(user, await seedList(app, user, { count: 3 })));
    const text = await scrape();
    expect(text).toMatch(/^staffcast_db_pool_connections\{state="idle"\} \d+$/m);
    for (const queue of ['system-mail', 'opt-in', 'imports', 'deliveries']) {
      expect(text).toMatch(new RegExp(`^staffcast_queue_jobs\\{queue="${queue}",state="waiting"\\} \\d+$`, 'm'));
      expect(text).toMatch(new RegExp(`^staffcast_queue_oldest_seconds\\{queue="${queue}"\\} [\\d.]+$`, 'm'));
    }
    const sent = [...text.matchAll(/^staffcast_deliveries_total\{outcome="sent",.*\} (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    expect(sent).toBe(3);
    expect(valueOf(text, 'staffcast_deliveries_total{outcome="sent",provider="other"}')).toBe(3);
    expect(valueOf(text, 'staffcast_deliveries_open{status="queued"}')).toBe(0);
    expect(text).toMatch(/^staffcast_deliveries_oldest_due_seconds [\d.]+$/m);
    expect(valueOf(text, 'staffcast_events_total{event="send.accepted"}')).toBe(1);
    expect(valueOf(text, 'staffcast_events_total{event="user.registered"}')).toBeGreaterThan(0);
    await settled(
      user,
      await send(user, await seedList(app, user, { addresses: ['one@gmail.com', 'two@googlemail.com'] })),
    );
    expect(valueOf(await scrape(), 'staffcast_deliveries_total{outcome="sent",provider="gmail"}')).toBe(2);
    expect(text).not.toMatch(/@(sender|people)\.test/);
  });

  it('counts open deliveries from the tallies, and the age of due ones except in paused sends', async () => {
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { count: 4 }));
    await settled(user, id);
    const set = (table: string, values: string) => app.em().execute(`update ${table} set ${values}`);
    const paused = async (at: string): Promise<string> => {
      await set('email_history', `status = 'pending', paused_at = ${at} where id = '${id}'`);
      return scrape();
    };
    await set('email_history', `status = 'pending', paused_at = now() where id = '${id}'`);
    await set(
      'email_delivery_logs',
      `status = 'deferred', next_attempt_at = now() + interval '1 hour' where history_id = '${id}' and position = 1`,
    );
    await set(
      'email_delivery_logs',
      `status = 'queued', created_at = now() - interval '100 seconds' where history_id = '${id}' and position in (2, 3)`,
    );
    const text = await paused('now()');
    expect([
      valueOf(text, 'staffcast_deliveries_open{status="queued"}'),
      valueOf(text, 'staffcast_deliveries_open{status="deferred"}'),
    ]).toEqual([2, 1]);
    expect(valueOf(text, 'staffcast_deliveries_oldest_due_seconds')).toBe(0);
    expect(valueOf(await paused('null'), 'staffcast_deliveries_oldest_due_seconds')).toBeGreaterThanOrEqual(100);
    await paused('now()');
  });
});
