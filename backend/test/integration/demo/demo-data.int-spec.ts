import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';

const DEMO = { email: 'demo@staffcast.example', password: 'demo-Lq7xV2nW' };
const env = { DEMO_DATA: 'on', DEMO_PASSWORD: DEMO.password };
let app: TestApp;
let agent: ReturnType<typeof request.agent>;

beforeAll(async () => {
  app = await startApp({ env });
  agent = request.agent(app.url);
  await agent.post('/api/auth/login').send(DEMO).expect(200);
});
afterAll(() => app.close());

const get = async (path: string) => (await agent.get(path).expect(200)).body;
const countOf = async (sql: string) => (await rows<{ n: number }>(app.em(), sql))[0]!.n;

describe('demo data', () => {
  it('fills the screens of the demo account', async () => {
    const lists = (await get('/api/email-lists')) as { id: string; isDefault: boolean; contactCount: number }[];
    expect(lists.filter(({ isDefault }) => !isDefault)).toHaveLength(3);
    for (const { contactCount } of lists) expect(contactCount).toBeGreaterThan(80);
    const trends = (await get('/api/dashboard/trends')) as {
      sends: number;
      sent: number;
      bounced: number;
      failed: number;
      contactsAdded: number;
      unsubscribed: number;
    }[];
    for (const key of ['sends', 'sent', 'bounced', 'failed', 'contactsAdded', 'unsubscribed'] as const)
      expect(trends.filter((day) => day[key] > 0).length).toBeGreaterThan(3);
    expect(await get('/api/auth/user')).toMatchObject({ isAdmin: true, tier: 'pro', isVerified: true });
    expect(await get('/api/referrals')).toMatchObject({
      stats: { totalInvites: 6, acceptedInvites: 3, pendingInvites: 2, signupConversions: 3, paidConversions: 1 },
    });
    const people = (await get('/api/contacts?limit=1000')) as {
      tags: number[];
      company: string | null;
      consent: string;
    }[];
    expect(people.length).toBeGreaterThan(150);
    expect(people.filter(({ tags, company }) => tags.length > 0 && company).length).toBeGreaterThan(20);
    expect(new Set(people.map(({ consent }) => consent))).toEqual(
      new Set(['mailable', 'pending', 'left', 'bounced', 'complained']),
    );
    const history = (await get('/api/email-history')) as { id: string; status: string }[];
    expect(history.length).toBeGreaterThan(20);
    const { counts } = await get(`/api/email-history/${history[0]!.id}`);
    expect(counts).toMatchObject({ queued: 0 });
    expect(counts.sent).toBeGreaterThan(20);
    expect(await countOf(`select count(distinct status)::int as n from email_delivery_logs`)).toBe(6);
  });

  it('has emails that are scheduled, and one that needs attention', async () => {
    const scheduled = (await get('/api/scheduled-sends?state=open')) as { state: string; reasonText: string | null }[];
    expect(scheduled.map(({ state }) => state).sort()).toEqual(['blocked', 'scheduled', 'scheduled']);
    expect(scheduled.find(({ state }) => state === 'blocked')?.reasonText).toMatch(
      /^Staffcast could not send at 9:00 AM\./,
    );
  });

  it('has notifications of several days, and sends and drafts that were written in the editor', async () => {
    const { recentActivity } = (await get('/api/dashboard/stats')) as {
      recentActivity: { action: string; time: string }[];
    };
    const times = recentActivity.map(({ time }) => Date.parse(time));
    expect(new Set(times.map((time) => Math.floor(time / 60_000))).size).toBe(recentActivity.length);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(24 * 3600_000);
    expect(new Set(recentActivity.map(({ action }) => action)).size).toBeGreaterThan(2);
    const history = (await get('/api/email-history?status=cancelled')) as { id: string }[];
    expect(history).toHaveLength(1);
    const [newest] = (await get('/api/email-history')) as { id: string }[];
    const { document, html, content } = await get(`/api/email-history/${newest!.id}`);
    expect(document.type).toBe('doc');
    expect(html).toContain('Asha R.');
    expect(content).toContain('Hi {{first_name|there}},');
    for (const path of ['/api/drafts', '/api/email-templates']) expect((await get(path)).length).toBe(2);
  });

  it('has an import that waits for its columns to be chosen', async () => {
    await app.get(ImportSweeper).sweep();
    let found: { id: string; status: string; fileName: string | null }[] = [];
    await until(async () => {
      found = ((await get('/api/imports')) as typeof found).filter(({ status }) => status === 'mapping');
      return found.length > 0;
    });
    expect(found).toMatchObject([{ fileName: 'vendor-fair-austin.csv' }]);
    const { columns, lines } = await get(`/api/imports/${found[0]!.id}`);
    expect(lines).toBe(8);
    expect(columns.map(({ target }: { target: string }) => target)).toEqual([
      'email',
      'name',
      'company',
      'phone',
      'city',
      'region',
      'ignore',
    ]);
  });

  it('has mailable contacts and contacts in every state', async () => {
    const states = await rows<{ state: string; n: number }>(
      app.em(),
      `select coalesce(suppressed, case when confirmed then 'confirmed' else 'asked' end) as state, count(*)::int as n from subscriptions group by 1`,
    );
    const found = Object.fromEntries(states.map(({ state, n }) => [state, n]));
    for (const state of ['confirmed', 'asked', 'unsubscribed', 'bounced', 'complained'])
      expect(found[state]).toBeGreaterThan(2);
    expect(
      await countOf(
        `select count(*)::int as n from subscriptions where not (created_at <= now() and coalesce(confirmed_at, created_at) between created_at and now())`,
      ),
    ).toBe(0);
  });

  it('is created once, also by concurrent starts, without a confirmation mail', async () => {
    const before = await rows(
      app.em(),
      `select (select count(*) from users) as users, (select count(*) from subscriptions) as contacts, (select count(*) from email_delivery_logs) as deliveries`,
    );
    const beside = await startApp({ beside: app, env });
    await beside.close();
    expect(
      await rows(
        app.em(),
        `select (select count(*) from users) as users, (select count(*) from subscriptions) as contacts, (select count(*) from email_delivery_logs) as deliveries`,
      ),
    ).toEqual(before);
    expect(await countOf(`select count(*)::int as n from system_mails`)).toBe(0);
    expect(await countOf(`select count(*)::int as n from subscriptions where opt_in_state = 'due'`)).toBe(0);
  });

  it('does not prevent a start after the demo account was deleted, and is not created again', async () => {
    await rows(app.em(), `update users set email_norm = 'deleted:' || id where email_norm = ?`, [DEMO.email]);
    const beside = await startApp({ beside: app, env });
    await beside.close();
    await rows(app.em(), `update users set email_norm = email where email = ?`, [DEMO.email]);
    expect(await countOf(`select count(*)::int as n from users where email like 'demo@%'`)).toBe(1);
  });

  it('has other accounts without a usable password', async () => {
    await app
      .http()
      .post('/api/auth/login')
      .send({ email: 'wanda.price@talentworks.example', password: DEMO.password })
      .expect(401);
  });
});
