import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Settings, type SettingsValues } from '../../../src/shared/config/settings.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { AppError } from '../../../src/shared/errors/app-error.js';
import { RateLimits } from '../../../src/shared/http/rate-limits/rate-limits.service.js';
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
  it('stop password guessing after ten attempts over all instances; a known device can still sign in', async () => {
    const { email, agent } = await app.user();
    const guess = (n: number) =>
      request(n % 2 ? app.url : other.url)
        .post('/api/auth/login')
        .set('X-Forwarded-For', `10.0.0.${n}`)
        .send({ email, password: `wrong ${n}` });
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await guess(n)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(429);
    expect(refused.body).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
  });

  it('apply to concurrent guesses', async () => {
    const { email } = await app.user();
    const all = await Promise.all(
      Array.from({ length: 15 }, (_, n) =>
        app
          .http()
          .post('/api/auth/login')
          .send({ email, password: `wrong ${n}` }),
      ),
    );
    expect(all.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it('are reset after a successful sign-in', async () => {
    const { email } = await app.user();
    const login = (password: string) => app.http().post('/api/auth/login').send({ email, password });
    for (let n = 0; n < 9; n += 1) await login('wrong one').expect(401);
    await login(PASSWORD).expect(200);
    await login('wrong one').expect(401);
    await login(PASSWORD).expect(200);
  });

  it('allow three verification mails an hour', async () => {
    const { agent } = await app.user({ verified: false });
    for (let n = 0; n < 3; n += 1) await agent.post('/api/auth/resend-verification').expect(200);
    await agent.post('/api/auth/resend-verification').expect(429);
  });

  it('are stricter while Redis is unavailable', async () => {
    const alone = new RateLimits(new Settings({ ...app.settings, redisUrl: 'redis://127.0.0.1:1' } as SettingsValues));
    try {
      const tries = await Promise.all(
        Array.from({ length: 12 }, () =>
          alone.consume('sign-in', 'someone').then(
            () => 'counted',
            (error: AppError) => `${error.status} ${error.headers?.['Retry-After']}`,
          ),
        ),
      );
      expect(tries.filter((outcome) => outcome === 'counted')).toHaveLength(5);
      expect(tries.filter((outcome) => outcome.startsWith('429 '))).toHaveLength(7);
    } finally {
      alone.onApplicationShutdown();
    }
  });

  it('count guesses of the current password too', async () => {
    const { agent } = await app.user();
    const guess = (n: number) =>
      agent
        .post('/api/auth/change-password')
        .send({ currentPassword: `wrong ${n}`, newPassword: 'another horse battery' });
    for (let n = 0; n < 10; n += 1) await guess(n).expect(400);
    await guess(10).expect(429);
    await agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(429);
  });

  it('allow three reset mails an hour, with the same answer afterwards', async () => {
    const { email, id } = await app.user();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        request(n % 2 ? app.url : other.url)
          .post('/api/auth/forgot-password')
          .send({ email }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(
      await rows(app.em(), `select 1 from system_mails where kind = 'auth.reset' and subject_id = ?`, [id]),
    ).toHaveLength(3);
  });

  it('apply to downloads and pictures', async () => {
    const { agent } = await app.user();
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await agent.get('/api/auth/export')).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const pictures = [];
    for (let n = 0; n < 31; n += 1)
      pictures.push(
        (await agent.put('/api/auth/user/avatar').set('Content-Type', 'image/png').send(Buffer.from('none'))).status,
      );
    expect(pictures).toEqual([...Array(30).fill(415), 429]);
  });
});
