import { argon2Sync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { RateLimits } from '../../../src/shared/http/rate-limits/rate-limits.service.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  app = await startApp({ env });
  other = await startApp({ beside: app, env });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const guess = (email: string, ip: string, password: string, n = 0) =>
  request(n % 2 ? other.url : app.url)
    .post('/api/auth/login')
    .set('X-Forwarded-For', ip)
    .send({ email, password });

/** Tries this many wrong passwords, each from another IP address. @returns the statuses of the answers */
async function guesses(email: string, count: number, address: (n: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 10) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(10, count - n) }, (_, k) => guess(email, address(n + k), `wrong ${n + k}`, k)),
    );
    statuses.push(...batch.map(({ status }) => status));
  }
  return statuses;
}

describe('guessing passwords from many addresses', () => {
  it('counts an IPv6 /64 as one client, and IPv4 written as IPv6 as IPv4', async () => {
    const { email } = await app.user();
    const statuses = await guesses(email, 40, (n) => `2001:db8:1:2:${n.toString(16)}::${n + 1}`);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const { email: second } = await app.user();
    const mapped = await guesses(second, 20, (n) => (n % 2 ? '192.0.2.44' : '::ffff:192.0.2.44'));
    expect(mapped.filter((status) => status === 401)).toHaveLength(10);
  });

  it('allows an IPv6 /48 ten times the limit of a /64', async () => {
    const limits = [app, other].map((one) => one.get(RateLimits));
    for (let n = 0; n < 1000; n += 1)
      await limits[n % 2]!.consumeByClient('wrong-token', `2001:db8:77:${n.toString(16)}::1`);
    await app.http().get('/api/subscribe/confirm/nothing').set('X-Forwarded-For', '2001:db8:77:ffff::1').expect(429);
    await app.http().get('/api/subscribe/confirm/nothing').set('X-Forwarded-For', '2001:db8:78::1').expect(404);
  });

  it('is stopped for an account after a hundred attempts, also from 150 networks; equally for an unknown address', async () => {
    const { email } = await app.user();
    for (const victim of [email, 'nobody-here@sender.test']) {
      const statuses = await guesses(victim, 150, (n) => `198.18.${n}.7`);
      expect(statuses.filter((status) => status === 401)).toHaveLength(100);
      expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    }
  });

  it('does not lock the owner out: a known device can sign in, and a new one after a mailed reset', async () => {
    const { email, agent } = await app.user();
    await guesses(email, 101, (n) => `198.19.${n}.7`);
    const refused = await guess(email, '203.0.113.50', PASSWORD).expect(429);
    expect(refused.body.message).toContain('reset your password');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    await agent
      .post('/api/auth/login')
      .set('X-Forwarded-For', '203.0.113.50')
      .send({ email, password: PASSWORD })
      .expect(200);

    const browser = request.agent(app.url);
    const from = { 'X-Forwarded-For': '203.0.113.51' };
    await browser.post('/api/auth/forgot-password').set(from).send({ email }).expect(200);
    const mail = (await app.mails.waitFor(email, 2)).find(({ subject }) => subject.includes('Reset'));
    const token = linkIn(mail!, '/reset-password').searchParams.get('token');
    await browser
      .post('/api/auth/reset-password')
      .set(from)
      .send({ token, password: 'another horse battery' })
      .expect(200);
    await browser.post('/api/auth/login').set(from).send({ email, password: 'another horse battery' }).expect(200);
    await guess(email, '203.0.113.52', 'another horse battery').expect(429);
  });

  it('is stopped on a known device after a hundred attempts too', async () => {
    const { email, agent } = await app.user();
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push(
        (
          await agent
            .post('/api/auth/login')
            .set('X-Forwarded-For', `203.0.113.${n}`)
            .send({ email, password: 'wrong one' })
        ).status,
      );
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('a hash with lower costs', () => {
  const cheap = (password: string): string => {
    const nonce = Buffer.alloc(16, 7);
    const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const tag = argon2Sync('argon2id', {
      message: password,
      nonce,
      tagLength: 32,
      memory: 8192,
      passes: 1,
      parallelism: 1,
    });
    return `$argon2id$v=19$m=8192,t=1,p=1$${bare(nonce)}$${bare(tag)}`;
  };
  const stored = async (id: string) =>
    (
      await rows<{ hash: string }>(app.em(), `select password_hash as hash from auth_credentials where user_id = ?`, [
        id,
      ])
    )[0]!.hash;
  const cheapen = (id: string) =>
    rows(app.em(), `update auth_credentials set password_hash = ? where user_id = ?`, [cheap(PASSWORD), id]);
  const renewed = async (id: string) => {
    await until(async () => !(await stored(id)).includes('m=8192,'));
    return stored(id);
  };

  it('is renewed at sign-in with the same password', async () => {
    const { email, id, agent } = await app.user();
    await cheapen(id);
    await agent.post('/api/auth/login').send({ email, password: 'not this one' }).expect(401);
    expect(await stored(id)).toBe(cheap(PASSWORD));
    await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    expect(await renewed(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
  });

  it('neither undoes nor fails a concurrent password change', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { email, id, agent } = await app.user();
      await cheapen(id);
      const next = `another horse ${round}`;
      const tablet = request.agent(other.url);
      const [signedIn, change] = await Promise.all([
        tablet
          .post('/api/auth/login')
          .set('X-Forwarded-For', `203.0.113.${100 + round}`)
          .send({ email, password: PASSWORD }),
        // eslint-disable-next-line staffcast/no-bare-wait -- another offset of the race in each round
        pause(round * 15).then(() =>
          agent.post('/api/auth/change-password').send({ currentPassword: PASSWORD, newPassword: next }),
        ),
      ]);
      expect([200, 401]).toContain(signedIn.status);
      expect(change.status).toBe(200);
      await renewed(id);
      await agent.post('/api/auth/login').send({ email, password: next }).expect(200);
      await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(401);
    }
  });
});
