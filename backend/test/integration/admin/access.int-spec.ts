import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserSupervision } from '../../../src/modules/auth/index.js';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

let app: TestApp;
let admin: SignedUp;
let plain: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: { SMTP_PASSWORD_SPARE: 'hunter2-of-the-spare', SMTP_URL_RELAY: 'smtp://relay:hunter2@relay.example:2525' } });
  [admin, plain] = [await app.user({ admin: true, firstName: 'Root' }), await app.user()];
});
afterAll(() => app.close());

const ID = '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10';
const CALLS = [
  ['get', 'users'], ['get', `users/${ID}`], ['patch', `users/${ID}`], ['get', 'pending-users'], ['post', `verify-user/${ID}`], ['get', 'subscriptions'],
  ['patch', `subscriptions/${ID}/confirm`], ['get', 'lists'], ['get', 'suppressions'], ['post', 'suppressions'], ['delete', `suppressions/${ID}`], ['get', 'imports'],
  ['post', `imports/${ID}/confirm`], ['post', `imports/${ID}/decline`], ['get', 'overview'], ['get', 'sends'], ['get', 'audit'], ['get', 'senders'], ['get', 'providers'],
  ['post', 'providers'], ['get', 'provider-secrets'], ['get', 'provider-rates'], ['patch', `providers/${ID}`], ['delete', `providers/${ID}`], ['post', `providers/${ID}/test`],
  ['get', 'queues'], ['get', 'queues/'], ['get', 'queues/api/queues'], ['get', 'queues/static/css/main.css'], ['put', 'queues/api/queues/deliveries/pause'],
] as const;

describe('who may come in (S51)', () => {
  it.each(CALLS)('nobody signed out, nobody plain: %s %s', async (method, path) => {
    for (const at of [`/api/admin/${path}`, `/api/ADMIN/${path}`, ...(path.endsWith('/') ? [] : [`/api/admin/${path}/`])]) {
      const body = method === 'get' ? undefined : {};
      await app.http()[method](at).set({ 'X-Admin': '1', 'X-Forwarded-User': admin.email }).send(body).expect(401);
      const refused = await plain.agent[method](at).set({ 'X-Admin': '1', 'X-HTTP-Method-Override': 'GET' }).send(body).expect(403);
      expect(refused.body.code).toBe('forbidden');
    }
  });

  it('an admin everywhere, and what is not there is not found', async () => {
    for (const path of ['users', 'pending-users', 'subscriptions', 'lists', 'suppressions', 'imports', 'overview', 'sends', 'audit', 'senders', 'providers', 'queues']) {
      await admin.agent.get(`/api/admin/${path}`).expect(200);
    }
    for (const path of [`users/${ID}`, 'users/not-an-id']) await admin.agent.get(`/api/admin/${path}`).expect(404);
    for (const path of [`verify-user/${ID}`, `imports/${ID}/confirm`]) await admin.agent.post(`/api/admin/${path}`).expect(404);
    await admin.agent.delete(`/api/admin/suppressions/${ID}`).expect(404);
  });

  it('not an admin whose rights are gone, from the next call on (S52)', async () => {
    const second = await app.user({ admin: true });
    await second.agent.get('/api/admin/users?limit=1').expect(200);
    await app.get(UserSupervision).change({ id: admin.id, client: null }, second.id, { isAdmin: false });
    await second.agent.get('/api/admin/users?limit=1').expect(403);
    await second.agent.get('/api/admin/queues').expect(403);
  });
});

describe('what they see', () => {
  it('holds no secret of an account (S54)', async () => {
    const { body: users } = await admin.agent.get('/api/admin/users').expect(200);
    expect(Object.keys(users[0]).sort()).toEqual([
      'agencyName', 'createdAt', 'customDailyLimit', 'email', 'emailsSentToday', 'firstName', 'flag', 'id', 'isAdmin', 'isVerified', 'lastName', 'profileImageUrl',
      'referralCreditsMonths', 'role', 'suspended', 'suspendedAt', 'tier', 'timeZone',
    ]);
    const waiting = await app.user({ verified: false });
    const { body: pending, headers } = await admin.agent.get('/api/admin/pending-users?limit=10').expect(200);
    expect(pending[0]).toEqual({
      user: { id: waiting.id, firstName: 'Ann', lastName: 'Kumar', role: 'recruiter', tier: 'free', createdAt: expect.any(String) }, credential: { email: waiting.email },
    });
    expect(headers['x-total-count']).toBe('1');
    const { body: one } = await admin.agent.get(`/api/admin/users/${plain.id}`).expect(200);
    expect(one).toMatchObject({ email: plain.email, plan: { plan: 'free', dailyLimit: 1, remainingToday: 1 }, totalLists: 0, flag: 'none', devices: [{ current: false }] });
    expect(JSON.stringify([users, pending, one])).not.toMatch(/hash|token|stripe|password/i);
  });

  it('pages, searches and filters on the server', async () => {
    for (const firstName of ['Pia', 'Pim', 'Pit']) await app.user({ firstName, lastName: 'Pager' });
    const first = await admin.agent.get('/api/admin/users?search=pager&limit=2&sort=name').expect(200);
    expect([first.headers['x-total-count'], first.body.map((u: { firstName: string }) => u.firstName)]).toEqual(['3', ['Pia', 'Pim']]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    expect((await admin.agent.get(next).expect(200)).body.map((u: { firstName: string }) => u.firstName)).toEqual(['Pit']);
    expect((await admin.agent.get('/api/admin/users?isAdmin=true').expect(200)).body.map((u: { id: string }) => u.id)).toEqual([admin.id]);
    await admin.agent.get('/api/admin/users?isAdmin=maybe').expect(400);
    await admin.agent.get('/api/admin/users?cursor=nonsense&limit=1').expect(400);
  });
});

describe('what they do to accounts', () => {
  it('is done, told and written down with actor and reason', async () => {
    const person = await app.user({ verified: false });
    const change = (body: object) => admin.agent.patch(`/api/admin/users/${person.id}`).send(body);
    expect((await admin.agent.post(`/api/admin/verify-user/${person.id}`).send({ reason: 'Known by phone' }).expect(200)).body).toEqual({ message: 'User verified' });
    await admin.agent.post(`/api/admin/verify-user/${person.id}`).expect(200);
    await person.agent.get('/api/auth/user').expect(({ body }) => expect(body.isVerified).toBe(true));
    expect((await change({ customDailyLimit: 25, reason: 'Big client' }).expect(200)).body).toMatchObject({ customDailyLimit: 25, emailsSentToday: 0 });
    expect((await change({ customDailyLimit: null }).expect(200)).body.customDailyLimit).toBeNull();
    expect((await change({ isAdmin: true }).expect(200)).body.isAdmin).toBe(true);
    expect((await change({ suspended: true, reason: 'Spam' }).expect(200)).body).toMatchObject({ suspended: true, suspendedAt: expect.any(String) });
    await person.agent.get('/api/auth/user').expect(401);
    await change({ suspended: false }).expect(200);
    const { body } = await admin.agent.get(`/api/admin/audit?userId=${person.id}&actorId=${admin.id}`).expect(200);
    expect(body.map(({ kind, reason }: { kind: string; reason: string | null }) => [kind, reason])).toEqual([
      ['account.reinstated', null], ['account.suspended', 'Spam'], ['admin.granted', null], ['limit.changed', '25 → plan'], ['limit.changed', 'plan → 25: Big client'],
      ['account.verified', 'Known by phone'],
    ]);
    expect(body[0]).toMatchObject({ actorEmail: admin.email, userEmail: person.email, ipAddress: '127.0.0.1' });
  });

  it('refuses nonsense, and one\'s own rights', async () => {
    for (const body of [{ customDailyLimit: -1 }, { customDailyLimit: 1.5 }, { customDailyLimit: '5' }, { isAdmin: 'true' }, { tier: 'pro' }, { reason: 'a\nb' }]) {
      await admin.agent.patch(`/api/admin/users/${plain.id}`).send(body).expect(400);
    }
    for (const body of [{ isAdmin: false }, { suspended: true }]) {
      expect((await admin.agent.patch(`/api/admin/users/${admin.id}`).send(body).expect(409)).body.code).toBe('not_yourself');
    }
  });
});

describe('the queues\' dashboard', () => {
  it('is for admins, from our own pages, and what is changed there is written down', async () => {
    const page = await admin.agent.get('/api/admin/queues').expect(200);
    expect(page.text).toContain('<base href="/api/admin/queues/"');
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['x-powered-by']).toBeUndefined();
    const script = /src="(static\/js\/[^"]+)"/.exec(page.text)![1]!;
    await admin.agent.get(`/api/admin/queues/${script}`).expect(200);
    await plain.agent.get(`/api/admin/queues/${script}`).expect(403);
    await app.http().get(`/api/admin/queues/${script}`).expect(401);
    const { body } = await admin.agent.get('/api/admin/queues/api/queues').expect(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['system-mail', 'deliveries']));
    await admin.agent.put('/api/admin/queues/api/queues/imports/pause').set('Origin', 'https://evil.example').expect(403);
    await admin.agent.put('/api/admin/queues/api/queues/imports/pause').expect(200);
    await admin.agent.put('/api/admin/queues/api/queues/imports/resume').expect(200);
    await admin.agent.put('/api/admin/queues/api/queues/nonsense/pause').expect(404);
    const lines = async () => (await rows<{ reason: string }>(app.em(), `select reason from audit_events where kind = 'queue.changed' order by at`)).map(({ reason }) => reason);
    for (const end = Date.now() + 30_000; (await lines()).length < 4 && Date.now() < end;) await pause(20);
    expect(await lines()).toEqual([
      expect.stringMatching(/imports\/pause$/), expect.stringMatching(/imports\/resume$/), expect.stringMatching(/nonsense\/pause$/), expect.stringMatching(/nonsense\/pause: refused \(404\)$/),
    ]);
  });
});

describe('the mail accounts', () => {
  it('are shown without a secret, changed and tested by admins, all of it written down', async () => {
    const [first] = (await admin.agent.get('/api/admin/providers').expect(200)).body;
    expect(first).toMatchObject({ name: 'smtp', isDefault: true, isActive: true, isConfigured: true });
    expect((await admin.agent.patch(`/api/admin/providers/${first.id}`).send({ isActive: false }).expect(409)).body.code).toBe('provider_is_default');
    await admin.agent.patch(`/api/admin/providers/${first.id}`).send({ isDefault: true }).expect(200);
    expect((await admin.agent.post(`/api/admin/providers/${first.id}/test`).send({ to: 'ops@staffcast.test' }).expect(200)).body.ok).toBe(true);
    await app.mails.waitFor('ops@staffcast.test');
    await admin.agent.post(`/api/admin/providers/${first.id}/test`).send({ to: 'nobody' }).expect(400);
    const lines = (await admin.agent.get(`/api/admin/audit?actorId=${admin.id}&limit=2`).expect(200)).body as { kind: string; reason: string }[];
    expect(lines.map(({ kind }) => kind)).toEqual(['provider.tested', 'provider.changed']);
    expect(lines[0]!.reason).toMatch(/^smtp, to ops@staffcast\.test, accepted: 250 /);
  });

  it('are added by the name of a secret, edited and removed, with the reason; what is wrong is told at its field', async () => {
    const { body: secrets, text } = await admin.agent.get('/api/admin/provider-secrets').expect(200);
    expect(secrets).toEqual([{ name: 'SMTP_PASSWORD_SPARE', isAddress: false }, { name: 'SMTP_URL_RELAY', isAddress: true }]);
    expect(text).not.toContain('hunter2');
    const faults = async (body: object) => (await admin.agent.post('/api/admin/providers').send(body).expect(400)).body.details.map(({ field }: { field: string }) => field);
    expect(await faults({ name: 'spare', apiKeyRef: 'SMTP_PASSWORD_NONE', config: { host: 'spare.example' } })).toEqual(['apiKeyRef']);
    expect(await faults({ name: 'spare', apiKeyRef: 'SMTP_PASSWORD_SPARE' })).toEqual(['config.host']);
    expect(await faults({ name: 'spare', apiKeyRef: 'SMTP_PASSWORD_SPARE', config: { host: 'spare.example', port: 70_000, warmUp: 'soon' } })).toEqual(['config.port', 'config.warmUp']);
    const spare = { name: 'spare', apiKeyRef: 'SMTP_PASSWORD_SPARE', isActive: false, config: { host: 'spare.example', warmUp: '2026-11-21' } };
    const { body: added } = await admin.agent.post('/api/admin/providers').send({ ...spare, reason: 'Second line', currentPassword: PASSWORD }).expect(201);
    expect(added).toMatchObject({ ...spare, isDefault: false, isConfigured: true });
    await admin.agent.patch(`/api/admin/providers/${added.id}`).send({ isDefault: true, reason: 'Too early' }).expect(409);
    const config = { host: 'other.example', messagesPerSecond: 5 };
    expect((await admin.agent.patch(`/api/admin/providers/${added.id}`).send({ config, reason: 'Moved', currentPassword: PASSWORD }).expect(200)).body.config).toEqual(config);
    await admin.agent.delete(`/api/admin/providers/${added.id}`).send({ reason: 'Given up' }).expect(204);
    const told = (await admin.agent.get(`/api/admin/audit?actorId=${admin.id}&limit=3`).expect(200)).body.map(({ kind, reason }: { kind: string; reason: string }) => `${kind}: ${reason}`);
    expect(told).toEqual([expect.stringMatching(/^provider.removed: .*Given up/), expect.stringMatching(/^provider.changed: .*Moved/), expect.stringMatching(/^provider.added: .*Second line/)]);
  });
});
