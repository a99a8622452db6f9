import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { SystemMailWorker } from '../../../src/shared/mail/system-mail/system-mail-worker.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { BounceHandler } from '../../../src/modules/bounces/bounce-handler.service.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';
import { until } from '../../kit/until.js';

const [OLD, NEW] = ['old-0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'new-8c1d5a7e3b9f24606f4b2d9a1c7e5830'];
const BASE = { RATE_LIMITS: 'on', BOUNCE_DOMAIN: 'bounces.test' };
let before: TestApp;
let after: TestApp;

beforeAll(async () => {
  before = await startApp({ env: { ...BASE, JWT_SECRET: OLD } });
  after = await startApp({ beside: before, env: { ...BASE, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD } });
});
afterAll(async () => {
  await after.close();
  await before.close();
});

const cookie = (answer: request.Response, name: string): string =>
  ([answer.headers['set-cookie'] ?? []].flat() as string[])
    .find((line) => line.startsWith(`staffcast_${name}=`))
    ?.split(';')[0] ?? '';
const login = (app: TestApp, email: string, cookies = '', password = PASSWORD) =>
  app.http().post('/api/auth/login').set('Cookie', cookies).send({ email, password });
const whoAmI = (app: TestApp, cookies: string) => app.http().get('/api/auth/user').set('Cookie', cookies);

describe('a change of JWT_SECRET, with the old one in JWT_SECRET_PREVIOUS', () => {
  it('signs nobody out: access tokens, Bearer tokens and refresh cookies stay valid', async () => {
    const { email } = await before.user();
    const signedIn = await login(before, email).expect(200);
    const { body: token } = await before.http().post('/api/auth/token').send({ email, password: PASSWORD }).expect(200);
    await whoAmI(after, cookie(signedIn, 'access')).expect(200);
    await after.http().get('/api/auth/user').set('Authorization', `Bearer ${token.accessToken}`).expect(200);
    const renewed = await whoAmI(after, cookie(signedIn, 'refresh')).expect(200);
    expect(cookie(renewed, 'refresh')).not.toBe('');
    await whoAmI(after, cookie(renewed, 'refresh')).expect(200);
  });

  it('lets instances with the new and the old secret run side by side where each names the other', async () => {
    const old = await startApp({ beside: before, env: { ...BASE, JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: NEW } });
    try {
      const { email } = await before.user();
      const signedIn = await login(after, email).expect(200);
      await whoAmI(old, cookie(signedIn, 'access')).expect(200);
      await whoAmI(old, cookie(signedIn, 'refresh')).expect(200);
    } finally {
      await old.close();
    }
  });

  it('keeps known devices, so that password guessing elsewhere locks nobody out', async () => {
    const { email } = await before.user();
    const device = cookie(await login(before, email).expect(200), 'device');
    for (let n = 0; n < 10; n += 1) await login(after, email, '', `wrong ${n}`).expect(401);
    await login(after, email).expect(429);
    await login(after, email, device).expect(200);
  });

  it(`keeps the "This wasn't me" link of an earlier mail valid after a new request`, async () => {
    const { email, id, agent } = await before.user({ verified: false });
    const disown = linkIn((await before.mails.waitFor(email))[0]!, '/not-me').searchParams.get('token');
    const cookies = cookie(await login(before, email).expect(200), 'access');
    await after.http().post('/api/auth/resend-verification').set('Cookie', cookies).expect(200);
    await after.http().post('/api/auth/disown').send({ token: disown }).expect(200);
    expect(await rows(before.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
    await agent.get('/api/auth/user').expect(401);
  });

  it('delivers waiting system mail, and recognises its bounce address', async () => {
    const email = `waits@rotation.test`;
    before.mails.answer = (address) => (address === email ? { code: 451, message: 'later' } : undefined);
    const { id } = await before.user({ email, verified: false });
    const state = async () =>
      (
        await rows<{ attempts: number; status: string }>(
          before.em(),
          `select attempts, status from system_mails where subject_id = ?`,
          [id],
        )
      )[0];
    await until(async () => {
      const found = await state();
      return found?.status === 'queued' && found.attempts > 0;
    });
    await before.stop();
    before.mails.answer = () => undefined;
    await rows(after.em(), `update system_mails set next_attempt_at = now() where subject_id = ?`, [id]);
    await after.get(SystemMailWorker).sweep();
    const [mail] = await after.mails.waitFor(email);
    expect(mail!.subject).toContain('Verify your email');
    const intake = after.get(BounceHandler);
    expect(intake.mailOf(mail!.envelopeFrom)).toMatchObject({ kind: 's' });
  });

  it('accepts tokens of versions without derived keys until they expire', async () => {
    const { email, id } = await after.user();
    const { body } = await login(after, email).expect(200);
    expect(body.user.id).toBe(id);
    const sealedByHand = (secret: string, purpose: string, value: string) =>
      `${value}.${createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url')}`;
    const jwtByHand = (secret: string, sid: string) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const now = Math.floor(Date.now() / 1000);
      const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sid, sub: id, iat: now, exp: now + 900, iss: 'staffcast', aud: 'access' })}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    for (const secret of [NEW, OLD]) {
      const token = 't'.repeat(42) + (secret === NEW ? 'n' : 'o');
      const [session] = await rows<{ id: string }>(
        after.em(),
        `insert into auth_sessions (user_id, session_token, expires_at) values (?, encode(sha256(?::bytea), 'hex'), now() + interval '1 day') returning id`,
        [id, token],
      );
      await whoAmI(after, `staffcast_access=${jwtByHand(secret, session!.id)}`).expect(200);
      await whoAmI(after, `staffcast_refresh=${sealedByHand(secret, 'refresh', `${session!.id}.${token}`)}`).expect(
        200,
      );
      await whoAmI(after, `staffcast_access=${jwtByHand('neither of the two secrets at all', session!.id)}`).expect(
        401,
      );
    }
    const intake = after.get(BounceHandler);
    const encoded = 'a'.repeat(26);
    const signed = base32(createHmac('sha256', `bounce:${OLD}`).update(`b-${encoded}`).digest()).slice(0, 10);
    expect(intake.mailOf(`b-${encoded}-${signed}@bounces.test`)).toMatchObject({ kind: 'b' });
    expect(intake.mailOf(`b-${encoded}-${'a'.repeat(10)}@bounces.test`)).toBeNull();
  });
});

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)])
    .join('');
}
