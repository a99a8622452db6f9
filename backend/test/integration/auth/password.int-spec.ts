import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  ({ app, other } = await startPair());
});
afterAll(() => closeAll(other, app));

const NEXT = 'another horse battery';
const forgot = (email: string) => app.http().post('/api/auth/forgot-password').send({ email }).expect(200);
const reset = (token: unknown, password: unknown = NEXT) =>
  app.http().post('/api/auth/reset-password').send({ token, password });
const login = (email: string, password: string) => app.http().post('/api/auth/login').send({ email, password });
const about = async (email: string, subject: RegExp, count = 1) => {
  for (let seen = 1; ; seen += 1) {
    const found = (await app.mails.waitFor(email, seen)).filter((mail) => subject.test(mail.subject));
    if (found.length >= count) return found;
  }
};
const tokens = async (email: string, count = 1) =>
  (await about(email, /^Reset your/, count)).map((mail) => linkIn(mail, '/reset-password').searchParams.get('token')!);

describe('a forgotten password', () => {
  it('is replaced by the mailed link, once; all devices are signed out and a notice is sent', async () => {
    const { email, agent } = await app.user();
    await forgot(` ${email.toUpperCase()} `);
    const [token] = await tokens(email);
    await reset(token, 'short')
      .expect(400)
      .expect(({ body }) => expect(body.message).toBe('Password must be at least 8 characters'));
    await reset(token).expect(200);
    await agent.get('/api/auth/user').expect(401);
    await login(email, PASSWORD).expect(401);
    await login(email, NEXT).expect(200);
    await reset(token, 'a third horse battery')
      .expect(400)
      .expect(({ body }) => expect(body.code).toBe('token_invalid'));
    const [notice] = await about(email, /password was changed$/);
    expect(notice!.text).toContain(email);
    expect(notice!.text).not.toContain(NEXT);
  });

  it('cannot become a common one or the own address, by link or by change; the link stays valid', async () => {
    const { email, agent } = await app.user();
    const common = { code: 'validation_failed', message: 'This password is too common. Choose another.' };
    await forgot(email);
    const [token] = await tokens(email);
    for (const password of ['Password1', 'aaaaaaaa', email, email.split('@')[0]]) {
      await reset(token, password)
        .expect(400)
        .expect(({ body }) => expect(body).toMatchObject({ ...common, details: [{ field: 'password' }] }));
      await agent
        .post('/api/auth/change-password')
        .send({ currentPassword: PASSWORD, newPassword: password })
        .expect(400)
        .expect(({ body }) => expect(body).toMatchObject({ ...common, details: [{ field: 'newPassword' }] }));
    }
    await login(email, PASSWORD).expect(200);
    await reset(token).expect(200);
  });

  it('is replaced by one of many concurrent uses', async () => {
    const { email } = await app.user();
    await forgot(email);
    const [token] = await tokens(email);
    const uses = await Promise.all(Array.from({ length: 8 }, (_, n) => reset(token, `horse battery ${n}`)));
    expect(uses.map((use) => use.status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  it('is replaced by the newest link only, within an hour', async () => {
    const { email } = await app.user();
    await forgot(email);
    const [first] = await tokens(email);
    await forgot(email);
    const second = (await tokens(email, 2)).find((token) => token !== first);
    await reset(first).expect(400);
    await rows(
      app.em(),
      `update auth_credentials set reset_token_expires = now() - interval '1 second' where email = ?`,
      [email],
    );
    await reset(second).expect(400);
    await rows(
      app.em(),
      `update auth_credentials set reset_token_expires = now() + interval '1 minute' where email = ?`,
      [email],
    );
    await reset(second).expect(200);
  });

  it('gets the same answer for an unknown address, without a mail', async () => {
    const { email } = await app.user();
    const known = await forgot(email);
    const unknown = await forgot('nobody@sender.test');
    expect(unknown.body).toEqual(known.body);
    await tokens(email);
    expect(app.mails.to('nobody@sender.test')).toEqual([]);
    await app.http().post('/api/auth/forgot-password').send({ email: 'no address' }).expect(400);
  });

  it('requires a token', async () => {
    for (const token of [undefined, '', null])
      await reset(token)
        .expect(400)
        .expect(({ body }) => expect(body.message).toBe('Reset token is required'));
    for (const token of ['x', 'A'.repeat(43)])
      await reset(token)
        .expect(400)
        .expect(({ body }) => expect(body.code).toBe('token_invalid'));
  });
});

describe('a change of the password', () => {
  it('requires the current one, keeps this device signed in and signs the others out on every instance', async () => {
    const { email, agent } = await app.user();
    const tablet = request.agent(other.url);
    await tablet.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    const change = (currentPassword: string, newPassword = NEXT) =>
      agent.post('/api/auth/change-password').send({ currentPassword, newPassword });
    await change('not this one')
      .expect(400)
      .expect(({ body }) => expect(body.details[0].field).toBe('currentPassword'));
    await change(PASSWORD, 'short').expect(400);
    await tablet.get('/api/auth/user').expect(200);
    await change(PASSWORD).expect(200);
    await tablet.get('/api/auth/user').expect(401);
    await agent.get('/api/auth/user').expect(200);
    await login(email, PASSWORD).expect(401);
    await login(email, NEXT).expect(200);
    await about(email, /password was changed$/);
  });

  it('accepts one of two concurrent changes', async () => {
    const { agent } = await app.user();
    const both = await Promise.all(
      ['first battery horse', 'second battery horse'].map((newPassword) =>
        agent.post('/api/auth/change-password').send({ currentPassword: PASSWORD, newPassword }),
      ),
    );
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 400]);
  });

  it('invalidates a reset link', async () => {
    const { email, agent } = await app.user();
    await forgot(email);
    const [token] = await tokens(email);
    await agent.post('/api/auth/change-password').send({ currentPassword: PASSWORD, newPassword: NEXT }).expect(200);
    await reset(token).expect(400);
  });
});

describe('devices', () => {
  const WINDOWS =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const signedIn = async (email: string, userAgent: string) => {
    const agent = request.agent(other.url);
    await agent.post('/api/auth/login').set('User-Agent', userAgent).send({ email, password: PASSWORD }).expect(200);
    return agent;
  };

  it('are listed with a readable name, this one first, and signed out individually, at once on every instance', async () => {
    const { email, agent } = await app.user();
    const pc = await signedIn(email, WINDOWS);
    const { body } = await agent.get('/api/auth/sessions').expect(200);
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject({ current: true, ipAddress: '127.0.0.1' });
    expect(body[1]).toEqual({
      id: expect.any(String),
      device: 'Chrome on Windows',
      userAgent: WINDOWS,
      ipAddress: '127.0.0.1',
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      current: false,
    });
    const stranger = await app.user();
    await stranger.agent.delete(`/api/auth/sessions/${body[1].id}`).expect(404);
    await agent.delete('/api/auth/sessions/nonsense').expect(404);
    await pc.get('/api/auth/user').expect(200);
    await agent.delete(`/api/auth/sessions/${body[1].id}`).expect(204);
    await pc.get('/api/auth/user').expect(401);
    await agent.delete(`/api/auth/sessions/${body[1].id}`).expect(404);
  });

  it('can be signed out all except this one', async () => {
    const { email, agent } = await app.user();
    const others = await Promise.all([signedIn(email, WINDOWS), signedIn(email, 'curl/8.5')]);
    await agent.delete('/api/auth/sessions').expect(204);
    for (const one of others) await one.get('/api/auth/user').expect(401);
    expect((await agent.get('/api/auth/sessions').expect(200)).body).toHaveLength(1);
  });
});
