import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  app = await startApp({ env: { RATE_LIMITS: 'on' } });
  other = await startApp({ beside: app, env: { RATE_LIMITS: 'on' } });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

describe('request limits', () => {
  it('stop guessing after ten wrong passwords over all instances; a known device still gets in', async () => {
    const { email, agent } = await app.user();
    const guess = (n: number) => request(n % 2 ? app.url : other.url).post('/api/auth/login').set('X-Forwarded-For', `10.0.0.${n}`).send({ email, password: `wrong ${n}` });
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await guess(n)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(429);
    expect(refused.body).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
  });

  it('hold against guesses made at once', async () => {
    const { email } = await app.user();
    const all = await Promise.all(Array.from({ length: 15 }, (_, n) => app.http().post('/api/auth/login').send({ email, password: `wrong ${n}` })));
    expect(all.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it('forget the wrong ones after a right one', async () => {
    const { email } = await app.user();
    const login = (password: string) => app.http().post('/api/auth/login').send({ email, password });
    for (let n = 0; n < 9; n += 1) await login('wrong one').expect(401);
    await login(PASSWORD).expect(200);
    await login('wrong one').expect(401);
    await login(PASSWORD).expect(200);
  });

  it('let three verification mails an hour through', async () => {
    const { agent } = await app.user({ verified: false });
    for (let n = 0; n < 3; n += 1) await agent.post('/api/auth/resend-verification').expect(200);
    await agent.post('/api/auth/resend-verification').expect(429);
  });
});
