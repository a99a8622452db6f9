import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';

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
  it('fills what the demo account sees', async () => {
    const lists = (await get('/api/email-lists')) as { id: string; isDefault: boolean; contactCount: number }[];
    expect(lists.filter(({ isDefault }) => !isDefault)).toHaveLength(3);
    for (const { contactCount } of lists) expect(contactCount).toBeGreaterThan(80);
    const trends = (await get('/api/dashboard/trends')) as { sends: number; sent: number; bounced: number; failed: number; contactsAdded: number; unsubscribed: number }[];
    for (const key of ['sends', 'sent', 'bounced', 'failed', 'contactsAdded', 'unsubscribed'] as const) expect(trends.filter((day) => day[key] > 0).length).toBeGreaterThan(3);
    expect(await get('/api/auth/user')).toMatchObject({ isAdmin: true, tier: 'pro', isVerified: true });
    expect(await get('/api/referrals')).toMatchObject({ stats: { totalInvites: 6, acceptedInvites: 3, pendingInvites: 2, signupConversions: 3, paidConversions: 1 } });
    const history = (await get('/api/email-history')) as { id: string; status: string }[];
    expect(history.length).toBeGreaterThan(20);
    const { counts } = await get(`/api/email-history/${history[0]!.id}`);
    expect(counts).toMatchObject({ queued: 0 });
    expect(counts.sent).toBeGreaterThan(20);
    expect(await countOf(`select count(distinct status)::int as n from email_delivery_logs`)).toBe(6);
  });

  it('contacts are mailable, and of each state there are some', async () => {
    const states = await rows<{ state: string; n: number }>(app.em(), `select coalesce(suppressed, case when confirmed then 'confirmed' else 'asked' end) as state, count(*)::int as n from subscriptions group by 1`);
    const found = Object.fromEntries(states.map(({ state, n }) => [state, n]));
    for (const state of ['confirmed', 'asked', 'unsubscribed', 'bounced', 'complained']) expect(found[state]).toBeGreaterThan(2);
    expect(await countOf(`select count(*)::int as n from subscriptions where not (created_at <= now() and coalesce(confirmed_at, created_at) between created_at and now())`)).toBe(0);
  });

  it('is made once, whoever starts beside, and asks nobody anything', async () => {
    const before = await rows(app.em(), `select (select count(*) from users) as users, (select count(*) from subscriptions) as contacts, (select count(*) from email_delivery_logs) as deliveries`);
    const beside = await startApp({ beside: app, env });
    await beside.close();
    expect(await rows(app.em(), `select (select count(*) from users) as users, (select count(*) from subscriptions) as contacts, (select count(*) from email_delivery_logs) as deliveries`)).toEqual(before);
    expect(await countOf(`select count(*)::int as n from system_mails`)).toBe(0);
    expect(await countOf(`select count(*)::int as n from subscriptions where opt_in_state = 'due'`)).toBe(0);
  });

  it('starts again after the demo account was deleted, and makes no other', async () => {
    await rows(app.em(), `update users set email_norm = 'deleted:' || id where email_norm = ?`, [DEMO.email]);
    const beside = await startApp({ beside: app, env });
    await beside.close();
    await rows(app.em(), `update users set email_norm = email where email = ?`, [DEMO.email]);
    expect(await countOf(`select count(*)::int as n from users where email like 'demo@%'`)).toBe(1);
  });

  it('an account of others cannot be signed in to', async () => {
    await app.http().post('/api/auth/login').send({ email: 'wanda.price@talentworks.example', password: DEMO.password }).expect(401);
  });
});
