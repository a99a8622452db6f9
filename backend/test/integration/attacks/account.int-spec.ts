import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { mailedToken } from './support.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp({ env: { RATE_LIMITS: 'on' } })));
afterAll(() => app.close());

const verify = (token: unknown) => app.http().post('/api/auth/verify-email').send({ token });
const forgot = (email: unknown) => app.http().post('/api/auth/forgot-password').send({ email });
const reset = (token: unknown, password: unknown = 'another horse battery') =>
  app.http().post('/api/auth/reset-password').send({ token, password });

describe('attacks on an account', () => {
  it('a verification link signs in once, also with concurrent uses', async () => {
    const { email } = await app.user({ verified: false });
    const token = await mailedToken(app, email, '/verify-email');
    const uses = await Promise.all(Array.from({ length: 10 }, () => verify(token)));
    expect(uses.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1);
    const replay = await verify(token).expect(200);
    expect(replay.headers['set-cookie']).toBeUndefined();
    const late = await app.user({ verified: false });
    const expired = await mailedToken(app, late.email, '/verify-email');
    await rows(
      app.em(),
      `update auth_credentials set verification_token_expires = now() - interval '1 second' where user_id = ?`,
      [late.id],
    );
    await verify(expired).expect(400);
    for (const token of [{ $ne: null }, ['x'], '', 'x'.repeat(10_000)]) await verify(token).expect(400);
  });

  it('the recipient of a verification mail can remove an account that someone else created', async () => {
    const { email, agent } = await app.user({ verified: false, firstName: 'Mal' });
    const [mail] = await app.mails.waitFor(email);
    expect(mail!.text).toContain(`registered with this address, ${email}.`);
    // The address is not verified, so no user text is mailed to it.
    expect(mail!.text).not.toContain('Mal');
    await app
      .http()
      .post('/api/auth/disown')
      .send({ token: await mailedToken(app, email, '/not-me') })
      .expect(200);
    await agent.get('/api/auth/user').expect(401);
    await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(401);
  });

  it('an unverified account sends no mail to others', async () => {
    const { agent } = await app.user({ verified: false });
    const list = (await agent.post('/api/email-lists').send({ name: 'Mine' }).expect(201)).body;
    const contact = (
      await agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 's17@victim.test' }).expect(201)
    ).body;
    await rows(app.em(), `update subscriptions set confirmed = true, confirmed_at = now() where id = ?`, [contact.id]);
    const send = { emailListIds: [list.id], subject: 'Hi', content: 'Hi', emailType: 'job-post' };
    await agent
      .post('/api/send-email')
      .send(send)
      .expect(403)
      .expect(({ body }) => expect(body.code).toBe('email_unverified'));
    await rows(app.em(), `update subscriptions set confirmed = false, confirmed_at = null where id = ?`, [contact.id]);
    await agent.post(`/api/email-lists/${list.id}/subscribers/${contact.id}/resend-confirmation`).expect(403);
    await agent
      .post('/api/referrals/invite')
      .send({ inviteeEmail: 's17-invited@victim.test' })
      .expect(403)
      .expect(({ body }) => expect(body.code).toBe('email_unverified'));
    // The confirmation mail of a verified owner goes out, which shows that the dispatcher ran and skipped the
    // unverified one.
    const verified = await app.user();
    const theirs = (await verified.agent.post('/api/email-lists').send({ name: 'Theirs' }).expect(201)).body;
    await verified.agent
      .post(`/api/email-lists/${theirs.id}/subscribers`)
      .send({ email: 's17@other.test' })
      .expect(201);
    await app.mails.waitFor('s17@other.test');
    expect([...app.mails.to('s17@victim.test'), ...app.mails.to('s17-invited@victim.test')]).toEqual([]);
  });

  it("a reset request reveals no account, mails at most three times an hour, and links to the product's own site", async () => {
    const { email } = await app.user();
    const answers = [];
    for (let n = 0; n < 20; n += 1)
      answers.push(await forgot(email).set({ Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' }));
    answers.push(await forgot('nobody@attack.test'));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    await mailedToken(app, email, '/reset-password', 3);
    const [owed] = await rows<{ n: number }>(
      app.em(),
      `select count(*)::int as n from system_mails where kind = 'auth.reset'`,
    );
    expect(owed!.n).toBe(3);
    expect(
      app.mails
        .to(email)
        .map(({ raw }) => raw)
        .join(''),
    ).not.toContain('evil.test');
    for (const wrong of [{ $ne: null }, ['a@x.test'], null, 'no address']) await forgot(wrong).expect(400);
  });

  it('of two reset links only the newest works, once; it ends every session and sends a notice', async () => {
    const { email, agent } = await app.user();
    await forgot(email).expect(200);
    const first = await mailedToken(app, email, '/reset-password');
    await forgot(email).expect(200);
    await mailedToken(app, email, '/reset-password', 2);
    const all = [
      await mailedToken(app, email, '/reset-password', 1),
      await mailedToken(app, email, '/reset-password', 2),
    ];
    const second = all.find((token) => token !== first)!;
    await reset(first).expect(400);
    await reset(second, 'short').expect(400);
    await reset(second).expect(200);
    await reset(second).expect(400);
    await agent.get('/api/auth/user').expect(401);
    for (let seen = 1; !app.mails.to(email).some(({ subject }) => /password was changed/.test(subject)); seen += 1)
      await app.mails.waitFor(email, seen);
  });

  it('the user object has exactly the documented fields and is not cached', async () => {
    const { agent } = await app.user();
    for (const path of ['/api/auth/user', '/api/auth/me']) {
      const { body, headers } = await agent.get(path).expect(200);
      expect(Object.keys(body).sort()).toEqual([
        'agencyName',
        'createdAt',
        'customDailyLimit',
        'email',
        'entitlements',
        'firstName',
        'id',
        'isAdmin',
        'isVerified',
        'lastName',
        'profileImageUrl',
        'referralCreditsMonths',
        'role',
        'tier',
        'timeZone',
      ]);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('only the two roles are accepted', async () => {
    const { agent } = await app.user();
    for (const role of ['admin', '', null, ['recruiter'], { $ne: 1 }, undefined])
      await agent.patch('/api/auth/user/role').send({ role }).expect(400);
    await agent
      .get('/api/auth/user')
      .expect(({ body }) => expect(body).toMatchObject({ role: 'recruiter', isAdmin: false }));
  });

  it('a change of the name changes nothing else', async () => {
    const [a, b] = [await app.user(), await app.user()];
    for (const extra of [{ email: 'x@y.test' }, { tier: 'pro' }, { isAdmin: true }, { id: b.id }, { userId: b.id }]) {
      for (const [path, body] of [
        ['name', { firstName: 'Eve', lastName: 'Evil' }],
        ['settings', { agencyName: 'Evil' }],
        ['role', { role: 'bench-sales' }],
      ] as const) {
        await a.agent
          .patch(`/api/auth/user/${path}`)
          .send({ ...body, ...extra })
          .expect(400);
      }
    }
    for (const { agent, email } of [a, b])
      await agent
        .get('/api/auth/user')
        .expect(({ body }) =>
          expect(body).toMatchObject({ email, firstName: 'Ann', tier: 'free', agencyName: null, role: 'recruiter' }),
        );
  });
});
