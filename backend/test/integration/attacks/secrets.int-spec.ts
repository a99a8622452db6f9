/**
 * Needs separate modules: a process has one logger, which the first app in the process creates.
 * @jest-environment node
 */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger, PARAMS_PROVIDER_TOKEN } from 'nestjs-pino';
import { mintReferralCode } from '../../../src/modules/auth/plan/pending-referrals.service.js';
import { Settings } from '../../../src/shared/config/settings.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { loggingParams } from '../../../src/shared/logging/logging.module.js';
import { hashToken, mintToken } from '../../../src/shared/tokens/tokens.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { cookiesOf, mailedToken } from './support.js';

let app: TestApp;
let log = '';
const secrets = new Set<string>();

beforeAll(async () => {
  const sink = new PassThrough().on('data', (line: Buffer) => (log += line.toString()));
  app = await startApp({
    env: { LOG_LEVEL: 'trace' },
    override: (builder) =>
      builder.overrideProvider(PARAMS_PROVIDER_TOKEN).useFactory({
        inject: [Settings],
        factory: (settings: Settings) => ({
          pinoHttp: [{ ...loggingParams(settings).pinoHttp, transport: undefined }, sink],
        }),
      }),
  });
  app.nest.useLogger(app.nest.get(Logger));
});
afterAll(() => app.close());

const kept = (value: string | undefined): string => {
  if (value) secrets.add(value);
  return value ?? '';
};

/** Uses every feature that handles a secret, with right and wrong values. */
async function walk(): Promise<string> {
  kept(PASSWORD);
  const { email, agent } = await app.user({ verified: false });
  const verification = kept(await mailedToken(app, email, '/verify-email'));
  kept(await mailedToken(app, email, '/not-me'));
  await app.http().get(`/verify-email?token=${verification}`);
  await agent.post('/api/auth/verify-email').send({ token: verification }).expect(200);
  await app
    .http()
    .post('/api/auth/login')
    .set('User-Agent', 'Evil\\r\\n{"level":50}')
    .send({ email, password: kept('a wrong password of mine') })
    .expect(401);
  await app
    .http()
    .post('/api/auth/login')
    .set('Content-Type', 'application/json')
    .send(`{"password":"${kept('an unparsable password')}`)
    .expect(400);
  const signedIn = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
  for (const line of cookiesOf(signedIn)) kept(decodeURIComponent(line.split(';')[0]!.split('=').slice(1).join('=')));
  const { body: bearer } = await app.http().post('/api/auth/token').send({ email, password: PASSWORD }).expect(200);
  await app
    .http()
    .get('/api/auth/user')
    .set('Authorization', `Bearer ${kept(bearer.accessToken)}`)
    .expect(200);
  await app.http().post('/api/auth/forgot-password').send({ email }).expect(200);
  const reset = kept(await mailedToken(app, email, '/reset-password'));
  await app.http().get(`/reset-password?token=${reset}`);
  await app
    .http()
    .post('/api/auth/reset-password')
    .send({ token: reset, password: kept('a password that was reset') })
    .expect(200);
  const again = await app
    .http()
    .post('/api/auth/login')
    .send({ email, password: 'a password that was reset' })
    .expect(200);
  const cookie = cookiesOf(again)
    .map((line) => line.split(';')[0]!)
    .join('; ');
  await app
    .http()
    .post('/api/auth/change-password')
    .set('Cookie', cookie)
    .send({ currentPassword: 'a password that was reset', newPassword: kept('a password that was changed') })
    .expect(200);
  const list = (await app.http().post('/api/email-lists').set('Cookie', cookie).send({ name: 'L' }).expect(201)).body;
  await app
    .http()
    .post(`/api/email-lists/${list.id}/subscribers`)
    .set('Cookie', cookie)
    .send({ email: 's64@contact.test' })
    .expect(201);
  const confirm = kept(await mailedToken(app, 's64@contact.test', '/subscribe/confirmed'));
  await app.http().get(`/subscribe/confirmed?token=${confirm}`);
  await app.http().get(`/api/subscribe/confirm/${confirm}`).expect(200);
  const [contact] = await rows<{ token: string }>(
    app.em(),
    `select unsubscribe_token as token from subscriptions where email = 's64@contact.test'`,
  );
  await app.http().get(`/unsubscribe/${kept(contact!.token)}?m=1`);
  await app.http().post(`/api/unsubscribe/${contact!.token}`).expect(200);
  await app.http().get('/api/auth/user%0d%0a{"level":60,"msg":"forged"}');
  await app.http().get('/api/auth/audit?cursor=%0d%0aforged');
  await app.http().get('/api/auth/export').set('Cookie', cookie).expect(200);
  await app
    .http()
    .post('/api/auth/delete-account')
    .set('Cookie', cookie)
    .send({ password: 'a password that was changed' })
    .expect(200);
  return email;
}

describe('secrets', () => {
  it('appear in no log line, and no line can be forged', async () => {
    await walk();
    expect(secrets.size).toBeGreaterThan(12);
    const lines = log.split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      expect((JSON.parse(line) as { msg?: string }).msg ?? '').not.toBe('forged');
    }
    expect(lines.some((line) => line.includes('/api/auth/'))).toBe(true);
    for (const secret of secrets)
      expect(lines.filter((line) => line.includes(secret) || line.includes(encodeURIComponent(secret)))).toEqual([]);
  });

  it('appear in no log line in another case, encoding, unknown path or referer', async () => {
    const token = mintToken();
    const encoded = [...token].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    const before = log.length;
    for (const path of [
      `/UNSUBSCRIBE/${token}`,
      `/api/Unsubscribe/${token}`,
      `//api//unsubscribe//${token}`,
      `/api/subscribe/confirm%2f${token}`,
      `/api/unsubscribe/${encoded}`,
      `/api/unsubscribe/${encoded.replaceAll('%', '%25')}`,
      `/api/unsubscribe/${token};v=1`,
      `/api/unsubscribe/${token}.`,
      `/api/auth/user?%74oken=${token}`,
      `/api/auth/user?Token=${token}`,
      `/api/auth/user?x=1&amp;token=${token}`,
      `/api/${token}`,
      `/api/nothing/${token}/here`,
      `/api/x%2500${token}`,
    ])
      await app.http().get(path).set('Referer', `https://mail.example/reset-password?token=${token}`);
    app.nest.get(Logger).warn(`a mail server said: no such link /Unsubscribe/${token}`);
    const text = log.slice(before);
    expect(text.split('\n').filter((line) => line.includes('"statusCode":4')).length).toBeGreaterThan(8);
    for (const piece of [
      token.slice(0, 20),
      token.slice(20),
      encoded.slice(0, 60),
      encoded.replaceAll('%', '%25').slice(0, 60),
    ])
      expect(text).not.toContain(piece);
  });

  it('appear in no table; passwords are argon2id hashes', async () => {
    const { email, agent } = await app.user({ verified: false });
    await agent.post('/api/auth/forgot-password').send({ email }).expect(200);
    const tokens = [
      await mailedToken(app, email, '/verify-email'),
      await mailedToken(app, email, '/not-me'),
      await mailedToken(app, email, '/reset-password'),
    ];
    const [credential] = await rows<Record<string, string>>(
      app.em(),
      `select * from auth_credentials where email = ?`,
      [email],
    );
    expect([credential!.verification_token, credential!.disown_token, credential!.reset_token]).toEqual(
      tokens.map(hashToken),
    );
    const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/
      .exec(credential!.password_hash!)!
      .map(Number);
    expect(memory).toBeGreaterThanOrEqual(19_456);
    expect(passes).toBeGreaterThanOrEqual(2);
    expect(lanes).toBe(1);
    const tables = await rows<{ name: string }>(
      app.em(),
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const [found] = await rows<{ n: number }>(
        app.em(),
        `select count(*)::int as n from "${name}" t where t::text like any (array[${[...tokens, PASSWORD].map(() => '?').join(', ')}])`,
        [...tokens, PASSWORD].map((secret) => `%${secret}%`),
      );
      expect({ name, n: found!.n }).toEqual({ name, n: 0 });
    }
    const columns = await rows<{ name: string }>(
      app.em(),
      `select column_name as name from information_schema.columns where table_schema = 'public' and column_name ~ 'card|cvc|iban'`,
    );
    expect(columns).toEqual([]);
  });

  it('are 256 random bits without sequence or time', async () => {
    const tokens = Array.from({ length: 1000 }, mintToken);
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (let at = 0; at < 42; at += 1) expect(new Set(tokens.map((token) => token[at])).size).toBeGreaterThan(50);
    expect([...tokens].sort()).not.toEqual(tokens);
    expect(new Set(Array.from({ length: 1000 }, mintReferralCode)).size).toBe(1000);
    const ids = await rows<{ id: string }>(
      app.em(),
      `select gen_random_uuid()::text as id from generate_series(1, 1000)`,
    );
    for (const { id } of ids) expect(id[14]).toBe('4');
    const bits = Buffer.concat(tokens.map((token) => Buffer.from(token, 'base64url')));
    const ones = bits.reduce((sum, byte) => sum + byte.toString(2).replace(/0/g, '').length, 0);
    expect(ones / (bits.length * 8)).toBeGreaterThan(0.49);
    expect(ones / (bits.length * 8)).toBeLessThan(0.51);
  });
});
