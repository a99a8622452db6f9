import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { Accounts, AdminUserActions } from '../../../src/modules/auth/index.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const verify = (token: unknown) => app.http().post('/api/auth/verify-email').send({ token });
const tokenOf = async (email: string, path: string, nth = 1) =>
  linkIn((await app.mails.waitFor(email, nth))[nth - 1]!, path).searchParams.get('token')!;

describe('the verification mail', () => {
  it('names the account, with its action link first and the removal link last', async () => {
    const { email } = await app.user({ verified: false, firstName: 'Ann' });
    const [mail] = await app.mails.waitFor(email);
    expect(mail!.text).toContain(`registered with this address, ${email}.`);
    // The address is not verified, so no user text is mailed to it.
    expect(mail!.text).not.toContain('Ann');
    const links = mail!.text.match(/http\S+/g)!;
    expect(links[0]).toMatch(/^http:\/\/staffcast\.test\/verify-email\?token=[\w-]{43}$/);
    expect(links.at(-1)).toMatch(/^http:\/\/staffcast\.test\/not-me\?token=[\w-]{43}$/);
    expect(mail!.text.split('\n')).toContain(links[0]);
  });

  it('signs in once, also when opened concurrently; a second use opens no session', async () => {
    const { email, agent } = await app.user({ verified: false });
    const token = await tokenOf(email, '/verify-email');
    const uses = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    expect(uses.map((use) => use.status)).toEqual(Array(10).fill(200));
    const first = uses.filter((use) => use.headers['set-cookie']);
    expect(first).toHaveLength(1);
    expect(first[0]!.body.message).toBe('Email verified successfully! You are now logged in.');
    const replay = await verify(token).expect(200, { message: 'Your email is already verified.' });
    expect(replay.headers['set-cookie']).toBeUndefined();
    await agent.get('/api/auth/user').expect(({ body }) => expect(body.isVerified).toBe(true));
  });

  it('opens a session on the browser that used it', async () => {
    const { email } = await app.user({ verified: false });
    const browser = request.agent(app.url);
    await browser
      .post('/api/auth/verify-email')
      .send({ token: await tokenOf(email, '/verify-email') })
      .expect(200);
    await browser
      .get('/api/auth/user')
      .expect(200)
      .expect(({ body }) => expect(body.email).toBe(email));
  });

  it('keeps the session of a signed-in browser, so that its other tabs continue', async () => {
    const { id, email, agent } = await app.user({ verified: false });
    const sessions = () =>
      rows<{ id: string }>(app.em(), 'select id from auth_sessions where user_id = ? order by id', [id]);
    const before = await sessions();
    const answer = await agent
      .post('/api/auth/verify-email')
      .send({ token: await tokenOf(email, '/verify-email') })
      .expect(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await sessions()).toEqual(before);
    expect((await agent.get('/api/auth/user').expect(200)).body).toMatchObject({ id, isVerified: true });
  });

  it('expires after 24 hours; wrong and missing tokens get an error', async () => {
    const { email } = await app.user({ verified: false });
    const token = await tokenOf(email, '/verify-email');
    await rows(
      app.em(),
      `update auth_credentials set verification_token_expires = now() - interval '1 second' where email = ?`,
      [email],
    );
    for (const bad of [token, 'x', 'A'.repeat(43)]) {
      await verify(bad)
        .expect(400)
        .expect(({ body }) =>
          expect(body).toMatchObject({
            code: 'token_invalid',
            message: 'Verification failed. The link may be expired or invalid.',
          }),
        );
    }
    await verify(undefined)
      .expect(400)
      .expect(({ body }) => expect(body.message).toBe('No verification token provided'));
  });

  it('is replaced by a resent one', async () => {
    const { email, agent } = await app.user({ verified: false });
    const old = await tokenOf(email, '/verify-email');
    await agent.post('/api/auth/resend-verification').expect(200, { sent: true, message: 'Verification email sent' });
    const fresh = await tokenOf(email, '/verify-email', 2);
    await verify(old).expect(400);
    await verify(fresh).expect(200);
    await agent
      .post('/api/auth/resend-verification')
      .expect(200, { sent: false, message: 'Your email is already verified.' });
    await app.http().post('/api/auth/resend-verification').expect(401);
  });

  it('counts as opened when an admin verifies the account', async () => {
    const { email, id } = await app.user({ verified: false });
    const admin = await app.user({ admin: true });
    const vouch = () => app.get(AdminUserActions).verify({ id: admin.id, client: null }, id);
    expect([await vouch(), await vouch()]).toEqual([true, false]);
    expect(await app.get(Accounts).isVerified(id)).toBe(true);
    const replay = await verify(await tokenOf(email, '/verify-email')).expect(200);
    expect(replay.headers['set-cookie']).toBeUndefined();
  });
});

describe('the link "This wasn\'t me"', () => {
  const disown = (token: string) => app.http().post('/api/auth/disown').send({ token });

  it('removes the unverified account, once, and frees the address', async () => {
    const { email, agent } = await app.user({ verified: false });
    const token = await tokenOf(email, '/not-me');
    await disown(token).expect(200);
    await agent.get('/api/auth/user').expect(401);
    await disown(token)
      .expect(400)
      .expect(({ body }) => expect(body.code).toBe('token_invalid'));
    await app.user({ email, verified: false });
  });

  it('has no effect on a verified account', async () => {
    const { email, agent } = await app.user({ verified: false });
    const token = await tokenOf(email, '/not-me');
    await verify(await tokenOf(email, '/verify-email')).expect(200);
    await disown(token).expect(400);
    await agent.get('/api/auth/user').expect(200);
  });
});
