import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { cookiesOf, sessionOf } from './support.js';

let app: TestApp;
let other: TestApp;
let secure: TestApp;

beforeAll(async () => {
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
  app = await startApp({ env });
  other = await startApp({ beside: app, env });
  secure = await startApp({ beside: app, env: { ...env, APP_URL: 'https://staffcast.test' } });
});
afterAll(async () => {
  await secure.close();
  await other.close();
  await app.close();
});

const login = (email: unknown, password: unknown = PASSWORD, at = app) =>
  request(at.url).post('/api/auth/login').send({ email, password });

describe('attacks on signing in', () => {
  it('guessing is limited to ten over all instances, whatever the forwarding header; a known device can still sign in', async () => {
    const { email, agent } = await app.user();
    const statuses = [];
    for (let n = 0; n < 20; n += 1) {
      // The trusted proxy appends the real address; earlier entries come from the client.
      statuses.push(
        (await login(email, `wrong ${n}`, n % 2 ? other : app).set('X-Forwarded-For', `10.0.0.${n}, 203.0.113.9`))
          .status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
    await login(email)
      .set('X-Forwarded-For', '203.0.113.9')
      .expect(429)
      .expect(({ headers }) => expect(Number(headers['retry-after'])).toBeGreaterThan(0));
    await agent
      .post('/api/auth/login')
      .set('X-Forwarded-For', '203.0.113.9')
      .send({ email, password: PASSWORD })
      .expect(200);
  });

  it('signing in replaces the session that the browser brought', async () => {
    const [victim, attacker] = [await app.user(), await app.user()];
    const planted = sessionOf(await login(attacker.email));
    const answer = await login(victim.email).set('Cookie', planted).expect(200);
    await app.http().get('/api/auth/user').set('Cookie', planted).expect(401);
    await app
      .http()
      .get('/api/auth/user')
      .set('Cookie', sessionOf(answer))
      .expect(({ body }) => expect(body.email).toBe(victim.email));
  });

  it('an address must be a string', async () => {
    for (const email of [{ $ne: null }, ['a@x.test'], 5, null, true]) await login(email).expect(400);
    for (const password of [{ $ne: null }, ['x'], 5, null]) await login('a@x.test', password).expect(400);
  });

  it('other sites cannot sign a browser in', async () => {
    const { email } = await app.user();
    const body = { email, password: PASSWORD };
    await app.http().post('/api/auth/login').type('text/plain').send(JSON.stringify(body)).expect(415);
    await app.http().post('/api/auth/login').type('form').send(body).expect(415);
    for (const Origin of ['https://evil.test', 'null', 'http://staffcast.test.evil.test'])
      await login(email).set({ Origin }).expect(403);
    for (const site of ['cross-site', 'same-site']) await login(email).set('Sec-Fetch-Site', site).expect(403);
    const form = await app
      .http()
      .post('/api/auth/login')
      .set('Origin', 'http://staffcast.test')
      .type('form')
      .send(body);
    expect(form.status).toBeGreaterThanOrEqual(400);
  });

  it('cookies are inaccessible to scripts and other hosts, and stored as hashes', async () => {
    const { email } = await app.user();
    const lines = cookiesOf(await login(email).expect(200));
    for (const line of lines) {
      expect(line).toMatch(/; Path=\/;.*HttpOnly; SameSite=Lax$/);
      expect(line).not.toMatch(/Domain/i);
    }
    for (const line of cookiesOf(await login(email, PASSWORD, secure).expect(200))) {
      expect(line).toMatch(/^__Host-/);
      expect(line).toMatch(/; Secure/);
    }
    const stored = JSON.stringify(await rows(app.em(), `select * from auth_sessions`));
    const secret = decodeURIComponent(lines.find((line) => line.includes('_refresh='))!).split('.')[1]!;
    expect(Buffer.from(secret, 'base64url').length).toBe(32);
    expect(stored).not.toContain(secret);
  });

  it('signing out ends the session at once everywhere; a link cannot sign out', async () => {
    const { email } = await app.user();
    const session = sessionOf(await login(email));
    await request(other.url).get('/api/auth/user').set('Cookie', session).expect(200);
    await app.http().get('/api/auth/logout').set('Cookie', session).expect(404);
    await app.http().post('/api/auth/logout').set('Cookie', session).expect(200);
    for (const at of [app, other]) await request(at.url).get('/api/auth/user').set('Cookie', session).expect(401);
  });
});
