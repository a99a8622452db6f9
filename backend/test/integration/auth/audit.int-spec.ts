import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AuditTrail, UserDirectory, AdminUserActions } from '../../../src/modules/auth/index.js';
import { EventBus } from '../../../src/shared/events/event-bus.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  ({ app, other } = await startPair());
});
afterAll(() => closeAll(other, app));

type Agent = Awaited<ReturnType<TestApp['user']>>['agent'];
const kinds = async (agent: Agent) =>
  (await agent.get('/api/auth/audit').expect(200)).body.map(({ kind }: { kind: string }) => kind) as string[];

/** Waits for an event, because refused sign-ins are recorded after the answer. */
async function seen(agent: Agent, kind: string): Promise<string[]> {
  let found: string[] = [];
  await until(`${kind} is recorded`, async () => (found = await kinds(agent)).includes(kind));
  return found;
}

describe('the audit trail', () => {
  it("shows its owner the account's events, newest first", async () => {
    const { agent, email } = await app.user({ verified: false });
    const token = linkIn((await app.mails.waitFor(email))[0]!, '/verify-email').searchParams.get('token');
    await agent.post('/api/auth/verify-email').send({ token }).expect(200);
    await app.http().post('/api/auth/login').send({ email, password: 'not this one' }).expect(401);
    await seen(agent, 'session.refused');
    await agent.patch('/api/auth/user/role').send({ role: 'bench-sales' }).expect(200);
    await agent.patch('/api/auth/user/role').send({ role: 'bench-sales' }).expect(200);
    await agent
      .post('/api/auth/change-password')
      .send({ currentPassword: PASSWORD, newPassword: 'another horse battery' })
      .expect(200);
    const tablet = request.agent(other.url);
    await tablet.post('/api/auth/login').send({ email, password: 'another horse battery' }).expect(200);
    await tablet.post('/api/auth/logout').expect(200);
    expect(await kinds(agent)).toEqual([
      'session.signed_out',
      'session.opened',
      'password.changed',
      'role.changed',
      'session.refused',
      'account.verified',
      'session.opened',
      'account.registered',
    ]);
    const { body, headers } = await agent.get('/api/auth/audit?limit=4').expect(200);
    expect(body[3]).toEqual({
      id: expect.any(String),
      kind: 'role.changed',
      description: 'Role changed',
      actor: 'you',
      reason: 'bench-sales',
      ipAddress: '127.0.0.1',
      device: null,
      at: expect.any(String),
    });
    expect(headers['x-total-count']).toBe('8');
    const next = /<([^>]+)>; rel="next"/.exec(headers.link!)![1]!;
    expect((await agent.get(next).expect(200)).body.map(({ kind }: { kind: string }) => kind)).toEqual([
      'session.refused',
      'account.verified',
      'session.opened',
      'account.registered',
    ]);
    await app.http().get('/api/auth/audit').expect(401);
  });

  it('shows no other account', async () => {
    const [a, b] = [await app.user(), await app.user()];
    await b.agent.patch('/api/auth/user/role').send({ role: 'bench-sales' });
    expect(await kinds(a.agent)).toEqual(['session.opened', 'account.registered']);
  });

  it('records the use of an outdated refresh token', async () => {
    const { email, agent } = await app.user();
    const first = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const refresh = ([first.headers['set-cookie']].flat() as string[])
      .find((line) => line.startsWith('staffcast_refresh='))!
      .split(';')[0]!;
    const renewed = await app.http().get('/api/auth/user').set('Cookie', refresh).expect(200);
    const next = ([renewed.headers['set-cookie']].flat() as string[])
      .find((line) => line.startsWith('staffcast_refresh='))!
      .split(';')[0]!;
    await app.http().get('/api/auth/user').set('Cookie', next).expect(200);
    await app.http().get('/api/auth/user').set('Cookie', refresh).expect(401);
    expect((await kinds(agent))[0]).toBe('session.reused');
  });
});

describe('actions of admins on accounts', () => {
  const supervise = (
    actor: { id: string },
    id: string,
    { reason, ...change }: Parameters<AdminUserActions['change']>[2] & { reason?: string },
    at = app,
  ) =>
    at
      .get(AdminUserActions)
      .change({ id: actor.id, client: { ip: '10.1.1.1', userAgent: 'admin' }, reason }, id, change);

  it('suspend at once on every instance, explain it at sign-in, and reinstate', async () => {
    const admin = await app.user({ admin: true });
    const { id, email, agent } = await app.user();
    const tablet = request.agent(other.url);
    await tablet.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    await supervise(admin, id, { suspended: true, reason: 'spam' });
    await agent.get('/api/auth/user').expect(401);
    await tablet.get('/api/auth/user').expect(401);
    await tablet
      .post('/api/auth/login')
      .send({ email, password: PASSWORD })
      .expect(403)
      .expect(({ body }) => expect(body.code).toBe('suspended'));
    await tablet.post('/api/auth/login').send({ email, password: 'not this one' }).expect(401);
    await supervise(admin, id, { suspended: false });
    await tablet.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const shown = (await tablet.get('/api/auth/audit').expect(200)).body.find(
      ({ kind }: { kind: string }) => kind === 'account.suspended',
    );
    expect(shown).toMatchObject({ actor: 'support', reason: null, ipAddress: null, device: null });
    const { rows: lines } = await app.get(AuditTrail).page({ userId: id, kind: 'account.suspended' });
    expect(lines).toMatchObject([
      { actorId: admin.id, actorEmail: admin.email, userEmail: email, reason: 'spam', ipAddress: '10.1.1.1' },
    ]);
  });

  it('emit one event for a suspension', async () => {
    const admin = await app.user({ admin: true });
    const { id } = await app.user();
    const told: string[] = [];
    const bus = app.get(EventBus);
    const emit = bus.emit.bind(bus);
    bus.emit = (async (name: string, payload: { userId: string }) =>
      void told.push(`${name} ${payload.userId}`)) as typeof bus.emit;
    try {
      await supervise(admin, id, { suspended: true });
      await supervise(admin, id, { suspended: true });
    } finally {
      bus.emit = emit;
    }
    expect(told).toEqual([`user.suspended ${id}`]);
  });

  it('set and clear the daily limit', async () => {
    const admin = await app.user({ admin: true });
    const { id, agent } = await app.user();
    await supervise(admin, id, { customDailyLimit: 0 });
    await agent
      .get('/api/auth/user')
      .expect(({ body }) =>
        expect(body).toMatchObject({ customDailyLimit: 0, entitlements: { dailyLimit: 0, remainingToday: 0 } }),
      );
    await supervise(admin, id, { customDailyLimit: null });
    await agent.get('/api/auth/user').expect(({ body }) => expect(body.customDailyLimit).toBeNull());
    const { rows: lines } = await app.get(AuditTrail).page({ userId: id, kind: 'limit.changed' });
    expect(lines.map(({ reason }) => reason)).toEqual(['0 → plan', 'plan → 0']);
  });

  it("cannot change the admin's own rights; of two admins who revoke each other one remains", async () => {
    const [a, b] = [await app.user({ admin: true }), await app.user({ admin: true })];
    const plain = await app.user();
    for (const change of [{ isAdmin: false }, { suspended: true }])
      await expect(supervise(a, a.id, change)).rejects.toMatchObject({ status: 409, code: 'not_yourself' });
    await expect(supervise(plain, b.id, { isAdmin: false })).rejects.toMatchObject({ status: 403 });
    await expect(supervise(a, '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10', { isAdmin: true })).rejects.toMatchObject({
      status: 404,
    });
    const both = await Promise.allSettled([
      supervise(a, b.id, { isAdmin: false }),
      supervise(b, a.id, { isAdmin: false }, other),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('find accounts by address, name and agency, with pages', async () => {
    const directory = app.get(UserDirectory);
    const made = [];
    for (const firstName of ['Zoe', 'Zora', 'Zuri'])
      made.push(await app.user({ firstName, lastName: 'Findme', set: { agency_name: 'Quill & Co' } }));
    expect((await directory.page({ search: 'zora find' })).rows.map(({ firstName }) => firstName)).toEqual(['Zora']);
    expect((await directory.page({ search: made[0]!.email.toUpperCase() })).rows).toMatchObject([
      { id: made[0]!.id, isVerified: true, isAdmin: false, suspendedAt: null },
    ]);
    const first = await directory.page({ search: 'quill', limit: 2, sort: 'name' });
    const second = await directory.page({ search: 'quill', limit: 2, sort: 'name', cursor: first.next! });
    expect([...first.rows, ...second.rows].map(({ firstName }) => firstName)).toEqual(['Zoe', 'Zora', 'Zuri']);
    expect(first.total).toBe(3);
    expect(JSON.stringify(first.rows)).not.toMatch(/hash|token|stripe/i);
    expect((await directory.page({ search: '%' })).total).toBe(0);
    expect((await directory.page({ isAdmin: true, search: 'quill' })).total).toBe(0);
  });
});
