import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { person } from './support.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const register = (body: object | string) =>
  app.http().post('/api/auth/register').set('Content-Type', 'application/json').send(body);
const accounts = async (pattern: string) =>
  (await rows(app.em(), `select id from users where email_norm like ?`, [pattern])).length;

describe('attacks on registering', () => {
  it.each([
    { isAdmin: true },
    { tier: 'pro' },
    { role: 'admin' },
    { customDailyLimit: 1000 },
    { referralCreditsMonths: '12' },
    { isVerified: true },
    { id: '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10' },
    { emailVerified: true },
    { suspendedAt: null },
  ])('a registration with the extra field %j is refused', async (extra) => {
    await register({ ...person('s1@attack.test'), ...extra }).expect(400);
    expect(await accounts('s1@%')).toBe(0);
  });

  it('prototype keys in a body have no effect', async () => {
    const plain = JSON.stringify(person('s2@attack.test')).slice(0, -1);
    await register(`${plain},"__proto__":{"isAdmin":true,"tier":"pro"}}`);
    await register(`${plain.replace('s2@', 's2b@')},"constructor":{"prototype":{"isAdmin":true}}}`);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    const { agent } = await app.user();
    await agent
      .get('/api/auth/user')
      .expect(({ body }) => expect(body).toMatchObject({ isAdmin: false, tier: 'free' }));
    expect(
      await rows(app.em(), `select 1 from users where email_norm like 's2%' and (is_admin or tier <> 'free')`),
    ).toEqual([]);
  });

  it('an address has one account, whatever its spelling', async () => {
    await register(person('s3@bücher.test')).expect(201);
    for (const email of ['s3@bücher.test', 'S3@BÜCHER.test', '  s3@bücher.test ', 's3@xn--bcher-kva.test']) {
      await register(person(email))
        .expect(409)
        .expect(({ body }) => expect(body.code).toBe('email_taken'));
    }
    expect(await accounts('s3@%')).toBe(1);
  });

  it('thirty concurrent registrations with one address and one code create one account and at most one conversion', async () => {
    const referrer = await app.user();
    const [code] = await rows<{ code: string }>(app.em(), `select referral_code as code from users where id = ?`, [
      referrer.id,
    ]);
    const all = await Promise.all(
      Array.from({ length: 30 }, () => register({ ...person('s4@attack.test'), referralCode: code!.code })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(29).fill(409)]);
    expect(await accounts('s4@%')).toBe(1);
    expect(
      (await rows(app.em(), `select 1 from referral_conversions where referrer_user_id = ?`, [referrer.id])).length,
    ).toBeLessThanOrEqual(1);
  });

  it('a password must be long enough and not common, and is used whole', async () => {
    await register({ ...person('s5a@attack.test'), password: 'seven77' }).expect(400);
    for (const password of ['password1', 'Password', '12345678', 'aaaaaaaa', 's5b@attack.test', 'staffcast']) {
      const refused = await register({ ...person('s5b@attack.test'), password }).expect(400);
      expect(refused.body).toMatchObject({
        code: 'validation_failed',
        message: 'This password is too common. Choose another.',
        details: [{ field: 'password' }],
      });
    }
    await register({ ...person('s5b@attack.test'), password: 'password one' }).expect(201);
    const long = '🐎 battery staple '.repeat(10);
    await register({ ...person('s5c@attack.test'), password: long }).expect(201);
    await app
      .http()
      .post('/api/auth/login')
      .send({ email: 's5c@attack.test', password: long.slice(0, 72) })
      .expect(401);
    await app.http().post('/api/auth/login').send({ email: 's5c@attack.test', password: long }).expect(200);
    await register({ ...person('s5d@attack.test'), password: 'x'.repeat(257) }).expect(400);
    expect([400, 413]).toContain(
      (await register({ ...person('s5e@attack.test'), password: 'x'.repeat(1024 * 1024) })).status,
    );
  });

  it('names cannot contain line breaks, and are plain text in the mail', async () => {
    for (const firstName of [
      '<script>alert(1)</script>',
      'Ann\r\nBcc: victim@attack.test',
      'A\u202Enn',
      'x'.repeat(101),
      'A\u0000',
    ]) {
      await register({ ...person('s6@attack.test'), firstName }).expect(400);
    }
    await register({ ...person('s6@attack.test'), firstName: '<script>alert(1)' }).expect(201);
    const [mail] = await app.mails.waitFor('s6@attack.test');
    expect(mail!.html).not.toContain('<script>');
    expect(
      mail!.raw
        .split('\r\n\r\n')[0]!
        .match(/^(Subject|To|From|Bcc):/gim)!
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual(['from:', 'subject:', 'to:']);
  });

  it('links have the configured origin, whatever the Host header', async () => {
    await register(person('s7@attack.test'))
      .set({ Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' })
      .expect(201);
    const [mail] = await app.mails.waitFor('s7@attack.test');
    expect(mail!.text).toContain('http://staffcast.test/verify-email?token=');
    expect(mail!.raw).not.toContain('evil.test');
  });
});
