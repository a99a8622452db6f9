import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminUserActions } from '../../../src/modules/auth/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { type SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let admin: SignedUp;
let plain: SignedUp;

beforeAll(async () => {
  app = await startApp({
    env: { SMTP_PASSWORD_SPARE: 'hunter2-of-the-spare', SMTP_URL_RELAY: 'smtp://relay:hunter2@relay.example:2525' },
  });
  [admin, plain] = [await app.user({ admin: true, firstName: 'Root' }), await app.user()];
});
afterAll(() => app.close());

const ID = '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10';
const CALLS = [
  ['get', 'users'],
  ['get', `users/${ID}`],
  ['patch', `users/${ID}`],
  ['get', 'pending-users'],
  ['post', `verify-user/${ID}`],
  ['get', 'subscriptions'],
  ['patch', `subscriptions/${ID}/confirm`],
  ['get', 'lists'],
  ['get', 'suppressions'],
  ['post', 'suppressions'],
  ['delete', `suppressions/${ID}`],
  ['get', 'imports'],
  ['post', `imports/${ID}/confirm`],
  ['post', `imports/${ID}/decline`],
  ['get', 'files'],
  ['post', `files/${ID}/take-down`],
  ['post', `files/${ID}/dismiss`],
  ['get', 'overview'],
  ['get', 'sends'],
  ['get', 'audit'],
  ['get', 'senders'],
  ['get', 'providers'],
  ['post', 'providers'],
  ['get', 'provider-secrets'],
  ['get', 'provider-rates'],
  ['patch', `providers/${ID}`],
  ['delete', `providers/${ID}`],
  ['post', `providers/${ID}/test`],
  ['get', 'queues'],
  ['get', 'queues/'],
  ['get', 'queues/api/queues'],
  ['get', 'queues/static/css/main.css'],
  ['put', 'queues/api/queues/deliveries/pause'],
] as const;

describe('access to admin routes', () => {
  it('is tested for every admin call of the API document', () => {
    const { paths } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
    ) as { paths: Record<string, object> };
    const documented = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, calls]) =>
        Object.keys(calls).map((method) => `${method} ${path.slice('/api/admin/'.length).replace(/\{\w+\}/g, ID)}`),
      );
    expect(documented.length).toBeGreaterThan(20);
    const tested = CALLS.map(([method, path]) => `${method} ${path}`);
    expect(documented.filter((call) => !tested.includes(call))).toEqual([]);
  });

  it.each(CALLS)('refuses visitors and ordinary users: %s %s', async (method, path) => {
    for (const at of [
      `/api/admin/${path}`,
      `/api/ADMIN/${path}`,
      ...(path.endsWith('/') ? [] : [`/api/admin/${path}/`]),
    ]) {
      const body = method === 'get' ? undefined : {};
      await app.http()[method](at).set({ 'X-Admin': '1', 'X-Forwarded-User': admin.email }).send(body).expect(401);
      const refused = await plain.agent[method](at)
        .set({ 'X-Admin': '1', 'X-HTTP-Method-Override': 'GET' })
        .send(body)
        .expect(403);
      expect(refused.body.code).toBe('forbidden');
    }
  });

  it('admits admins to all of them, and answers 404 for unknown ids', async () => {
    for (const path of [
      'users',
      'pending-users',
      'subscriptions',
      'lists',
      'suppressions',
      'imports',
      'overview',
      'sends',
      'audit',
      'senders',
      'providers',
      'queues',
    ]) {
      await admin.agent.get(`/api/admin/${path}`).expect(200);
    }
    for (const path of [`users/${ID}`, 'users/not-an-id']) await admin.agent.get(`/api/admin/${path}`).expect(404);
    for (const path of [`verify-user/${ID}`, `imports/${ID}/confirm`])
      await admin.agent.post(`/api/admin/${path}`).expect(404);
    await admin.agent.delete(`/api/admin/suppressions/${ID}`).expect(404);
  });

  it('refuses a former admin from the next call on', async () => {
    const second = await app.user({ admin: true });
    await second.agent.get('/api/admin/users?limit=1').expect(200);
    await app.get(AdminUserActions).change({ id: admin.id, client: null }, second.id, { isAdmin: false });
    await second.agent.get('/api/admin/users?limit=1').expect(403);
    await second.agent.get('/api/admin/queues').expect(403);
  });
});

describe('data shown to admins', () => {
  it('contains no secret of an account', async () => {
    const { body: users } = await admin.agent.get('/api/admin/users').expect(200);
    expect(Object.keys(users[0]).sort()).toEqual([
      'agencyName',
      'createdAt',
      'customDailyLimit',
      'email',
      'emailsSentToday',
      'firstName',
      'flag',
      'id',
      'isAdmin',
      'isVerified',
      'lastName',
      'profileImageUrl',
      'referralCreditsMonths',
      'role',
      'suspended',
      'suspendedAt',
      'tier',
      'timeZone',
    ]);
    const waiting = await app.user({ verified: false });
    const { body: pending, headers } = await admin.agent.get('/api/admin/pending-users?limit=10').expect(200);
    expect(pending[0]).toEqual({
      user: {
        id: waiting.id,
        firstName: 'Ann',
        lastName: 'Kumar',
        role: 'recruiter',
        tier: 'free',
        createdAt: expect.any(String),
      },
      credential: { email: waiting.email },
    });
    expect(headers['x-total-count']).toBe('1');
    const { body: one } = await admin.agent.get(`/api/admin/users/${plain.id}`).expect(200);
    expect(one).toMatchObject({
      email: plain.email,
      plan: { plan: 'free', dailyLimit: 1, remainingToday: 1 },
      totalLists: 0,
      flag: 'none',
      devices: [{ current: false }],
    });
    expect(JSON.stringify([users, pending, one])).not.toMatch(/hash|token|stripe|password/i);
  });

  it('is paged, searched and filtered by the server', async () => {
    for (const firstName of ['Pia', 'Pim', 'Pit']) await app.user({ firstName, lastName: 'Pager' });
    const first = await admin.agent.get('/api/admin/users?search=pager&limit=2&sort=name').expect(200);
    expect([first.headers['x-total-count'], first.body.map((u: { firstName: string }) => u.firstName)]).toEqual([
      '3',
      ['Pia', 'Pim'],
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    expect((await admin.agent.get(next).expect(200)).body.map((u: { firstName: string }) => u.firstName)).toEqual([
      'Pit',
    ]);
    expect(
      (await admin.agent.get('/api/admin/users?isAdmin=true').expect(200)).body.map((u: { id: string }) => u.id),
    ).toEqual([admin.id]);
    await admin.agent.get('/api/admin/users?isAdmin=maybe').expect(400);
    await admin.agent.get('/api/admin/users?cursor=nonsense&limit=1').expect(400);
  });
});

describe('actions of admins on accounts', () => {
  it('take effect, are notified and audited with actor and reason', async () => {
    const person = await app.user({ verified: false });
    const change = (body: object) => admin.agent.patch(`/api/admin/users/${person.id}`).send(body);
    expect(
      (await admin.agent.post(`/api/admin/verify-user/${person.id}`).send({ reason: 'Known by phone' }).expect(200))
        .body,
    ).toEqual({ message: 'User verified' });
    await admin.agent.post(`/api/admin/verify-user/${person.id}`).expect(200);
    await person.agent.get('/api/auth/user').expect(({ body }) => expect(body.isVerified).toBe(true));
    expect((await change({ customDailyLimit: 25, reason: 'Big client' }).expect(200)).body).toMatchObject({
      customDailyLimit: 25,
      emailsSentToday: 0,
    });
    expect((await change({ customDailyLimit: null }).expect(200)).body.customDailyLimit).toBeNull();
    expect((await change({ isAdmin: true }).expect(200)).body.isAdmin).toBe(true);
    expect((await change({ suspended: true, reason: 'Spam' }).expect(200)).body).toMatchObject({
      suspended: true,
      suspendedAt: expect.any(String),
    });
    await person.agent.get('/api/auth/user').expect(401);
    await change({ suspended: false }).expect(200);
    const { body } = await admin.agent.get(`/api/admin/audit?userId=${person.id}&actorId=${admin.id}`).expect(200);
    expect(body.map(({ kind, reason }: { kind: string; reason: string | null }) => [kind, reason])).toEqual([
      ['account.reinstated', null],
      ['account.suspended', 'Spam'],
      ['admin.granted', null],
      ['limit.changed', '25 → plan'],
      ['limit.changed', 'plan → 25: Big client'],
      ['account.verified', 'Known by phone'],
    ]);
    expect(body[0]).toMatchObject({ actorEmail: admin.email, userEmail: person.email, ipAddress: '127.0.0.1' });
  });

  it("refuse invalid input, and changes of the admin's own rights", async () => {
    for (const body of [
      { customDailyLimit: -1 },
      { customDailyLimit: 1.5 },
      { customDailyLimit: '5' },
      { isAdmin: 'true' },
      { tier: 'pro' },
      { reason: 'a\nb' },
    ]) {
      await admin.agent.patch(`/api/admin/users/${plain.id}`).send(body).expect(400);
    }
    for (const body of [{ isAdmin: false }, { suspended: true }]) {
      expect((await admin.agent.patch(`/api/admin/users/${admin.id}`).send(body).expect(409)).body.code).toBe(
        'not_yourself',
      );
    }
  });
});

describe('the queue dashboard', () => {
  it("is open to admins, from the product's own pages only, and its changes are audited", async () => {
    const page = await admin.agent.get('/api/admin/queues').expect(200);
    expect(page.text).toContain('<base href="/api/admin/queues/"');
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['x-powered-by']).toBeUndefined();
    const script = /src="(static\/js\/[^"]+)"/.exec(page.text)![1]!;
    await admin.agent.get(`/api/admin/queues/${script}`).expect(200);
    await plain.agent.get(`/api/admin/queues/${script}`).expect(403);
    await app.http().get(`/api/admin/queues/${script}`).expect(401);
    const { body } = await admin.agent.get('/api/admin/queues/api/queues').expect(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['system-mail', 'deliveries']),
    );
    await admin.agent
      .put('/api/admin/queues/api/queues/imports/pause')
      .set('Origin', 'https://evil.example')
      .expect(403);
    await admin.agent.put('/api/admin/queues/api/queues/imports/pause').expect(200);
    await admin.agent.put('/api/admin/queues/api/queues/imports/resume').expect(200);
    await admin.agent.put('/api/admin/queues/api/queues/nonsense/pause').expect(404);
    const lines = async () =>
      (
        await rows<{ reason: string }>(
          app.em(),
          `select reason from audit_events where kind = 'queue.changed' order by at`,
        )
      ).map(({ reason }) => reason);
    await until(async () => (await lines()).length >= 4);
    expect(await lines()).toEqual([
      expect.stringMatching(/imports\/pause$/),
      expect.stringMatching(/imports\/resume$/),
      expect.stringMatching(/nonsense\/pause$/),
      expect.stringMatching(/nonsense\/pause: refused \(404\)$/),
    ]);
  });
});
