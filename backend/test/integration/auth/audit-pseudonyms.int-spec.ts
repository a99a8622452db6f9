import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, AdminUserActions } from '../../../src/modules/auth/index.js';
import { SessionPurge } from '../../../src/modules/auth/sessions/session-purge.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let admin: Awaited<ReturnType<TestApp['user']>>;

beforeAll(async () => {
  app = await startApp();
  admin = await app.user({ admin: true });
});
afterAll(() => app.close());

interface Line {
  id: string;
  kind: string;
  userId: string;
  userEmail: string;
  actorEmail: string | null;
  reason: string | null;
  ipAddress: string | null;
}
const lines = async (query: string) => (await admin.agent.get(`/api/admin/audit?${query}`).expect(200)).body as Line[];
const erase = async (person: { id: string; agent: (typeof admin)['agent'] }) => {
  await person.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
  await until(async () => (await rows(app.em(), `select 1 from users where id = ?`, [person.id])).length === 0);
};
/** Pseudonym of an account, taken from one of its audit entries. */
const pseudonymOf = async (id: string) =>
  (await rows<{ name: string }>(app.em(), `select former_user as name from audit_events where id = ?`, [id]))[0]!.name;

describe('audit entries of a deleted account', () => {
  it('are kept under one pseudonym, both about the account and by it, without address, IP or device; admins see "deleted account"', async () => {
    const [person, other] = [await app.user({ admin: true }), await app.user()];
    const supervise = (actor: { id: string }, id: string, reason: string) =>
      app.get(AdminUserActions).change({ id: actor.id, client: { ip: '10.9.8.7', userAgent: 'browser' }, reason }, id, {
        customDailyLimit: Math.ceil(Math.random() * 1e6),
      });
    await supervise(admin, person.id, `asked by ${person.email}`);
    await supervise(person, other.id, 'generous');
    await app.http().post('/api/auth/login').send({ email: person.email, password: 'not this one' }).expect(401);
    const before = await lines(`userId=${person.id}&limit=100`);
    const by = await lines(`actorId=${person.id}&userId=${other.id}`);
    await erase(person);

    expect(await lines(`userId=${person.id}`)).toEqual([]);
    const pseudonym = await pseudonymOf(before[0]!.id);
    const after = await lines(`userId=${pseudonym}&limit=100`);
    expect(after.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['account.deleted', 'limit.changed', 'session.opened', 'account.registered']),
    );
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.every(({ userEmail, userId }) => userEmail === 'deleted account' && userId === pseudonym)).toBe(true);
    expect(after.find(({ kind }) => kind === 'limit.changed')).toMatchObject({
      actorEmail: admin.email,
      ipAddress: '10.9.8.7',
      reason: expect.stringContaining('asked by deleted account'),
    });
    expect(after.find(({ kind }) => kind === 'session.opened')).toMatchObject({
      actorEmail: 'deleted account',
      ipAddress: null,
    });

    expect(await lines(`actorId=${pseudonym}&userId=${other.id}`)).toMatchObject([
      {
        id: by[0]!.id,
        userEmail: other.email,
        actorEmail: 'deleted account',
        ipAddress: null,
        reason: expect.stringContaining('generous'),
      },
    ]);
    const shown = (await other.agent.get('/api/auth/audit').expect(200)).body.find(
      ({ kind }: { kind: string }) => kind === 'limit.changed',
    );
    expect(shown).toMatchObject({ actor: 'support', reason: null, ipAddress: null });
    const stored = JSON.stringify(
      await rows(app.em(), `select * from audit_events where former_user = ? or former_actor = ?`, [
        pseudonym,
        pseudonym,
      ]),
    );
    for (const trace of [person.email, person.id, '127.0.0.1']) expect(stored).not.toContain(trace);
  });

  it('can be linked only with the secret: another installation has another pseudonym', async () => {
    const person = await app.user();
    const [line] = await lines(`userId=${person.id}&limit=1`);
    await erase(person);
    const named = (trail: AuditTrail) =>
      (trail as unknown as { pseudonymOf: (id: string) => string }).pseudonymOf(person.id);
    expect(named(app.get(AuditTrail))).toBe(await pseudonymOf(line!.id));
    const foreign = await startApp({ beside: app, env: { JWT_SECRET: 'foreign-5b1c9d7e3f2a48606f4b2d9a1c7e' } });
    try {
      expect(named(foreign.get(AuditTrail))).not.toBe(await pseudonymOf(line!.id));
    } finally {
      await foreign.close();
    }
  });

  it("are kept also where the address's owner removed the unverified account", async () => {
    const { email, id } = await app.user({ verified: false });
    const [line] = await lines(`userId=${id}&limit=1`);
    const token = linkIn((await app.mails.waitFor(email))[0]!, '/not-me').searchParams.get('token');
    await app.http().post('/api/auth/disown').send({ token }).expect(200);
    await app.http().post('/api/auth/disown').send({ token }).expect(400);
    expect(
      (await lines(`userId=${await pseudonymOf(line!.id)}`)).map(({ kind, actorEmail }) => [kind, actorEmail]),
    ).toContainEqual(['account.deleted', null]);
  });

  it('are deleted after the retention period', async () => {
    const person = await app.user();
    const [line] = await lines(`userId=${person.id}&limit=1`);
    await erase(person);
    const pseudonym = await pseudonymOf(line!.id);
    await rows(app.em(), `update audit_events set at = now() - interval '366 days' where former_user = ?`, [pseudonym]);
    await app.get(SessionPurge).run();
    expect(await lines(`userId=${pseudonym}`)).toEqual([]);
  });
});
