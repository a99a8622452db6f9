import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const person = (email: string) => ({
  email,
  password: PASSWORD,
  firstName: 'Ann',
  lastName: 'Kumar',
  role: 'recruiter',
});
const cookiesOf = (answer: request.Response) => [answer.headers['set-cookie'] ?? []].flat() as string[];
const cookie = (answer: request.Response, name: string) =>
  cookiesOf(answer)
    .find((line) => line.startsWith(`staffcast_${name}=`))
    ?.split(';')[0] ?? '';
const whoAmI = (cookies: string) => app.http().get('/api/auth/user').set('Cookie', cookies);

describe('registration', () => {
  it('creates an unverified recruiter on the Free plan and signs in', async () => {
    const agent = request.agent(app.url);
    const body = {
      ...person('New.Person@Sender.TEST'),
      agencyName: '  ',
      referralCode: 'nobody',
      timeZone: 'America/New_York',
    };
    const answer = await agent.post('/api/auth/register').send(body).expect(201);
    expect(answer.body.message).toBe('You are now logged in');
    const me = await agent.get('/api/auth/me').expect(200);
    expect(me.body).toEqual(answer.body.user);
    expect(me.body).toMatchObject({
      email: 'New.Person@sender.test',
      firstName: 'Ann',
      agencyName: null,
      role: 'recruiter',
      tier: 'free',
      isAdmin: false,
      isVerified: false,
      customDailyLimit: null,
      referralCreditsMonths: '0',
      timeZone: 'America/New_York',
      entitlements: { plan: 'free', dailyLimit: 1, sentToday: 0, remainingToday: 1 },
    });
    expect(JSON.stringify(me.body)).not.toMatch(/hash|token|stripe/i);
    expect(me.headers['cache-control']).toBe('no-store');
  });

  it('accepts one of many concurrent registrations of an address', async () => {
    const tries = await Promise.all(
      ['a@race.test', 'A@race.test', ' a@RACE.test '].flatMap((email) =>
        [1, 2, 3].map(() => app.http().post('/api/auth/register').send(person(email))),
      ),
    );
    expect(tries.map((answer) => answer.status).sort()).toEqual([201, ...Array(8).fill(409)]);
    expect(tries.find((answer) => answer.status === 409)?.body).toMatchObject({ statusCode: 409, code: 'email_taken' });
  });

  it.each([
    [{ isAdmin: true }, 'Unknown field: isAdmin'],
    [{ tier: 'pro' }, 'Unknown field: tier'],
    [{ role: 'admin' }, 'Please select a role'],
    [{ email: { $ne: null } }, 'Please enter a valid email address'],
    [{ email: ['a@x.test'] }, 'Please enter a valid email address'],
    [{ password: 'short12' }, 'Password must be at least 8 characters'],
    [{ firstName: ' ' }, 'First name is required'],
    [{ lastName: null }, 'Last name is required'],
    [{ password: undefined }, 'Password must be at least 8 characters'],
    [{ timeZone: 'Mars/Base' }, 'The time zone is not known'],
    [{ firstName: 'A\r\nBcc: x' }, 'Names must not contain line breaks'],
  ])('refuses %j', async (change, message) => {
    const { body } = await app
      .http()
      .post('/api/auth/register')
      .send({ ...person('refused@sender.test'), ...change })
      .expect(400);
    expect(body).toMatchObject({ statusCode: 400, code: 'validation_failed', message, error: message });
    expect(body.details[0]).toEqual({ field: Object.keys(change)[0], message });
  });

  it('uses all of a 256-character password', async () => {
    const password = 'ü '.repeat(128);
    await app
      .http()
      .post('/api/auth/register')
      .send({ ...person('long@sender.test'), password })
      .expect(201);
    await app
      .http()
      .post('/api/auth/login')
      .send({ email: 'long@sender.test', password: password.slice(0, -1) })
      .expect(401);
    await app.http().post('/api/auth/login').send({ email: 'LONG@sender.test', password }).expect(200);
  });

  it('stores no password and no token in the clear', async () => {
    const answer = await app.http().post('/api/auth/register').send(person('stored@sender.test')).expect(201);
    const [stored] = await rows<{ password_hash: string; session_token: string }>(
      app.em(),
      `select c.password_hash, s.session_token from auth_credentials c join auth_sessions s using (user_id) where c.email = 'stored@sender.test'`,
    );
    expect(stored?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(cookie(answer, 'refresh')).not.toContain(stored?.session_token);
  });
});

describe('sessions', () => {
  it('live in httpOnly, SameSite cookies of the whole site', async () => {
    const { email } = await app.user();
    const answer = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    expect(answer.body.message).toBe('You have been logged in successfully');
    expect(cookiesOf(answer)).toHaveLength(3);
    for (const line of cookiesOf(answer)) {
      expect(line).toMatch(/; Path=\//);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/Domain|Secure/);
    }
  });

  it('get the same answer for a wrong password and an unknown address', async () => {
    const { email } = await app.user();
    const wrong = await app.http().post('/api/auth/login').send({ email, password: 'not this one' }).expect(401);
    const unknown = await app
      .http()
      .post('/api/auth/login')
      .send({ email: 'nobody@sender.test', password: PASSWORD })
      .expect(401);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.body).toMatchObject({ code: 'unauthorized', message: 'Invalid email or password' });
    await app
      .http()
      .post('/api/auth/login')
      .send({ email, password: '' })
      .expect(400)
      .expect(({ body }) => expect(body.message).toBe('Password is required'));
  });

  it('are renewed with the refresh cookie alone, also concurrently; a token whose successor was used ends them', async () => {
    const { email } = await app.user();
    const first = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const old = cookie(first, 'refresh');
    const tabs = await Promise.all([whoAmI(old), whoAmI(old), whoAmI(old)]);
    expect(tabs.map((tab) => tab.status)).toEqual([200, 200, 200]);
    const renewed = tabs.filter((tab) => cookie(tab, 'refresh'));
    expect(renewed).toHaveLength(1);
    const next = cookie(renewed[0]!, 'refresh');
    const access = cookie(renewed[0]!, 'access');
    expect(next).not.toBe(old);

    await rows(
      app.em(),
      `update auth_sessions set rotated_at = now() - interval '31 seconds' where previous_token is not null`,
    );
    await whoAmI(access).expect(200);
    const last = cookie(await whoAmI(next).expect(200), 'refresh');
    await whoAmI(old).expect(401);
    await whoAmI(last).expect(401);
    await whoAmI(access).expect(401);
  });

  it('end when a token two rotations old is used', async () => {
    const { email } = await app.user();
    const old = cookie(await app.http().post('/api/auth/login').send({ email, password: PASSWORD }), 'refresh');
    const second = cookie(await whoAmI(old), 'refresh');
    const third = cookie(await whoAmI(second), 'refresh');
    await whoAmI(old).expect(401);
    await whoAmI(third).expect(401);
  });

  it('end at once everywhere on sign-out and suspension', async () => {
    const other = await startApp({ beside: app });
    try {
      const { email, id } = await app.user();
      const answer = await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
      const all = `${cookie(answer, 'access')}; ${cookie(answer, 'refresh')}`;
      await request(other.url).get('/api/auth/user').set('Cookie', all).expect(200);
      await app
        .http()
        .post('/api/auth/logout')
        .set('Cookie', all)
        .expect(200, { message: 'You have been logged out successfully' });
      await request(other.url).get('/api/auth/user').set('Cookie', all).expect(401);
      await whoAmI(all).expect(401);

      const again = cookie(await app.http().post('/api/auth/login').send({ email, password: PASSWORD }), 'access');
      await rows(app.em(), `update users set suspended_at = now() where id = ?`, [id]);
      await request(other.url).get('/api/auth/user').set('Cookie', again).expect(401);
      await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(403);
    } finally {
      await other.close();
    }
  });

  it('are replaced at sign-in: the previous one ends', async () => {
    const { email } = await app.user();
    const before = await app.http().post('/api/auth/login').send({ email, password: PASSWORD });
    const all = `${cookie(before, 'access')}; ${cookie(before, 'refresh')}`;
    await app.http().post('/api/auth/login').set('Cookie', all).send({ email, password: PASSWORD }).expect(200);
    await whoAmI(all).expect(401);
  });

  it('work with a Bearer token, without cookies and Origin', async () => {
    const { email } = await app.user();
    const answer = await app.http().post('/api/auth/token').send({ email, password: PASSWORD }).expect(200);
    expect(answer.body).toEqual({ accessToken: expect.any(String), expiresIn: 900 });
    expect(cookiesOf(answer)).toEqual([]);
    const bearer = { Authorization: `Bearer ${answer.body.accessToken}`, Origin: 'https://evil.test' };
    await app
      .http()
      .patch('/api/auth/user/role')
      .set(bearer)
      .send({ role: 'bench-sales' })
      .expect(200)
      .expect(({ body }) => expect(body.role).toBe('bench-sales'));
    await app.http().get('/api/auth/user').set({ Authorization: 'Bearer x.y.z' }).expect(401);
  });
});

describe('a call that names the user of its screen', () => {
  it('is refused and changes nothing where another user is signed in, and is made for the user itself', async () => {
    const [ann, bob] = [await app.user(), await app.user()];
    const rename = (named: string) =>
      bob.agent
        .patch('/api/auth/user/name')
        .set('X-Acting-User', named)
        .send({ firstName: 'Of Ann', lastName: 'Screen' });
    await rename(ann.id).expect(401);
    await rename('').expect(401);
    await bob.agent
      .get('/api/auth/user')
      .expect(200)
      .expect(({ body }) => expect(body.firstName).not.toBe('Of Ann'));
    await rename(bob.id).expect(200);
    await bob.agent
      .post('/api/auth/logout')
      .set('X-Acting-User', ann.id)
      .expect(({ status }) => expect(status).toBeLessThan(300));
  });
});

describe('profile', () => {
  it('accepts changes of role and name only', async () => {
    const { agent } = await app.user();
    await agent
      .patch('/api/auth/user/name')
      .send({ firstName: ' Bo ', lastName: 'Li' })
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ firstName: 'Bo', lastName: 'Li' }));
    for (const role of ['admin', '', null, ['recruiter']]) {
      await agent
        .patch('/api/auth/user/role')
        .send({ role })
        .expect(400)
        .expect(({ body }) => expect(body.message).toBe('Please select a role'));
    }
    await agent.patch('/api/auth/user/name').send({ firstName: 'Bo', lastName: 'Li', tier: 'pro' }).expect(400);
    await agent
      .patch('/api/auth/user/name')
      .send({ firstName: 'x'.repeat(101), lastName: 'Li' })
      .expect(400);
  });
});
