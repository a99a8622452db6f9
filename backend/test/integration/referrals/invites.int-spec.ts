import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { hashAddress } from '../../../src/shared/mail/address.js';
import { Suppressions } from '../../../src/modules/lists/index.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { codeOf, invite } from './support.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  ({ app, other } = await startPair());
});
afterAll(() => closeAll(other, app));

const send = (user: SignedUp, inviteeEmail: unknown, more: object = {}) =>
  user.agent.post('/api/referrals/invite').send({ inviteeEmail, ...more });
const overview = async (user: SignedUp) => (await user.agent.get('/api/referrals').expect(200)).body;
/** Waits until all pending mails are sent, so that a missing mail means that none was created. */
const settled = async () => {
  const probe = await app.user();
  await app.mails.waitFor(probe.email);
};

describe('an invite', () => {
  it('names the inviter, the link, the reason and the opt-out', async () => {
    const user = await app.user({ firstName: 'Priya', lastName: 'Raman', set: { agency_name: 'Acme Staffing' } });
    const mail = await invite(app, user, 'colleague@invited.test');
    expect(mail.subject).toBe('A colleague invites you to Staffcast');
    const links = mail.text.match(/https?:\/\/\S+/g)!.map((link) => new URL(link).pathname);
    expect(links[0]).toMatch(/^\/invite\/[\w-]{43}$/);
    // List-Unsubscribe contains the same link, because mail programs POST to it.
    expect(mail.raw).toContain(`List-Unsubscribe: <http://staffcast.test${links[1]}>`);
    for (const part of [
      'Priya Raman of Acme Staffing',
      user.email,
      '1 Test Street, Springfield',
      'You get this email because Priya Raman entered your address',
    ]) {
      expect(mail.text).toContain(part);
      expect(mail.html).toContain(part);
    }
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.raw).toMatch(/^List-Unsubscribe: <http:\/\/staffcast\.test\/never-ask\/[\w-]{43}>\r?$/m);
    expect(mail.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(await overview(user)).toMatchObject({
      stats: { totalInvites: 1, pendingInvites: 1 },
      invites: [{ inviteeEmail: 'colleague@invited.test', status: 'pending', acceptedAt: null }],
    });
  });

  it('stores no token in the database', async () => {
    const user = await app.user();
    const token = linkIn(await invite(app, user, 'secret@invited.test'), '/invite/').pathname.slice('/invite/'.length);
    const [row] = await rows<{ token: string }>(
      app.em(),
      `select token from referral_invites where inviter_user_id = ?`,
      [user.id],
    );
    expect(row!.token).not.toBe(token);
    expect(row!.token).toMatch(/^[0-9a-f]{64}$/);
  });

  it('requires a verified account', async () => {
    const { body } = await send(await app.user({ verified: false }), 'someone@invited.test').expect(403);
    expect(body.code).toBe('email_unverified');
    await app.http().post('/api/referrals/invite').send({ inviteeEmail: 'someone@invited.test' }).expect(401);
  });

  it('refuses an invalid address, the own one and unknown fields', async () => {
    const user = await app.user({ email: 'inviter@own.test' });
    const text = async (value: unknown) => (await send(user, value).expect(400)).body.message;
    for (const blank of ['', '   ', null, undefined, 5, ['a@b.test']])
      expect(await text(blank)).toBe('Please enter an email address.');
    for (const bad of [
      'nobody',
      'a@b.test\r\nBcc: c@d.test',
      'a@b.test, c@d.test',
      'Ann <a@b.test>',
      'ök@b.test',
      `${'x'.repeat(400)}@b.test`,
    ]) {
      expect(await text(bad)).toBe('Please enter a valid email address');
    }
    for (const own of ['inviter@own.test', 'INVITER@OWN.test', 'inviter+me@own.test'])
      expect(await text(own)).toBe('This is your own address');
    await send(user, 'friend@invited.test', { message: 'Buy now' }).expect(400);
    expect((await overview(user)).invites).toEqual([]);
  });

  it('is sent to an address once in 30 days, also concurrently on several instances', async () => {
    const users = await Promise.all([app.user(), app.user(), app.user(), other.user()]);
    const answers = await Promise.all(
      users.flatMap((user) => [send(user, 'popular@invited.test'), send(user, 'Popular@invited.test')]),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('already_invited');
    await app.mails.waitFor('popular@invited.test').catch(() => app.mails.waitFor('Popular@invited.test'));
    await settled();
    expect([...app.mails.to('popular@invited.test'), ...app.mails.to('Popular@invited.test')]).toHaveLength(1);
    await rows(
      app.em(),
      `update referral_invites set sent_at = sent_at - interval '31 days' where lower(invitee_email) = 'popular@invited.test'`,
    );
    await rows(
      app.em(),
      `update system_mails set created_at = created_at - interval '31 days' where kind = 'referrals.invite'`,
    );
    await send(users[0]!, 'popular@invited.test').expect(201);
  });

  it('gets the same answer without a mail for people with an account, suppressed people, and people invited by a deleted account', async () => {
    const user = await app.user();
    const member = await app.user({ email: 'member@invited.test' });
    const gone = await app.user();
    await invite(app, gone, 'harassed@invited.test');
    await rows(app.em(), `delete from users where id = ?`, [gone.id]);
    await app.em().transactional(async (em) => {
      for (const [email, scope, ownerId] of [
        ['left-all@invited.test', 'all', null],
        ['left-network@invited.test', 'network', null],
        ['left-me@invited.test', 'owner', user.id],
      ] as const) {
        await app
          .get(Suppressions)
          .add(em, { scope, ownerId, addressHash: hashAddress(email), reason: 'unsubscribed' });
      }
    });
    const quiet = [
      member.email,
      'left-all@invited.test',
      'left-network@invited.test',
      'left-me@invited.test',
      'harassed@invited.test',
    ];
    const before = new Map(quiet.map((email) => [email, app.mails.to(email).length]));
    const open = (await send(user, 'open@invited.test').expect(201)).body.message as string;
    for (const email of quiet)
      expect((await send(user, email).expect(201)).body).toEqual({ message: open.replace('open@invited.test', email) });
    await app.mails.waitFor('open@invited.test');
    await settled();
    for (const email of quiet)
      expect(app.mails.to(email).filter(({ subject }) => subject.includes('invites you')).length).toBe(
        email === 'harassed@invited.test' ? before.get(email) : 0,
      );
    const { invites } = await overview(user);
    expect(invites.map(({ status }: { status: string }) => status)).toEqual(Array(6).fill('pending'));
  });

  it('is not mailed to an alias of a mailbox that unsubscribed, complained or is being invited', async () => {
    const user = await app.user();
    await app.em().transactional(async (em) => {
      for (const [email, scope, ownerId, reason] of [
        ['left@gmail.com', 'all', null, 'unsubscribed'],
        ['reported@invited.test', 'owner', (await app.user()).id, 'complained'],
        ['net@invited.test', 'network', null, 'unsubscribed'],
        ['mine@invited.test', 'owner', user.id, 'unsubscribed'],
      ] as const)
        await app
          .get(Suppressions)
          .add(em, { scope, ownerId, addressHash: hashAddress(email), addressNorm: email, reason });
    });
    const aliases = [
      'l.e.f.t+1@googlemail.com',
      'reported+x@invited.test',
      'net+x@invited.test',
      'mine+x@invited.test',
    ];
    for (const email of aliases) await send(user, email).expect(201);
    const users = await Promise.all([app.user(), app.user(), other.user(), other.user()]);
    await Promise.all(users.map((one, n) => send(one, `atonce+${n}@invited.test`).expect(201)));
    await settled();
    for (const email of aliases) expect(app.mails.to(email)).toEqual([]);
    expect(users.flatMap((_one, n) => app.mails.to(`atonce+${n}@invited.test`))).toHaveLength(1);
  });

  it('is limited to 20 a day, over all instances and concurrent calls', async () => {
    const user = await app.user();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => send(user, `cap${i}@invited.test`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]!.body).toMatchObject({
      code: 'rate_limited',
      message: 'You can send 20 invites a day. Please try again later.',
    });
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(86_000);
    await rows(
      app.em(),
      `update referral_invites set sent_at = now() - interval '25 hours' where inviter_user_id = ?`,
      [user.id],
    );
    await send(user, 'tomorrow@invited.test').expect(201);
  });
});

describe('the opt-out from invites', () => {
  const optOut = (token: string) => app.http().post('/api/referrals/opt-out').send({ token });

  it('stops invites from everyone, by POST only', async () => {
    const [one, two] = [await app.user(), await app.user()];
    const link = linkIn(await invite(app, one, 'enough@invited.test'), '/never-ask/');
    const page = await app.http().get(link.pathname).set('Accept', 'text/html').expect(200);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(await rows(app.em(), `select 1 from referral_opt_outs where opted_out_at is not null`)).toEqual([]);
    await rows(app.em(), `delete from users where id = ?`, [one.id]);
    const token = link.pathname.slice('/never-ask/'.length);
    expect((await app.http().post(`/api${link.pathname}`).expect(200)).body).toEqual({
      message: 'You will not be asked or invited again.',
    });
    // The page that links in old invites lead to posts to this path.
    for (let i = 0; i < 2; i += 1)
      expect((await optOut(token).expect(200)).body).toEqual({ message: 'You will not be invited again.' });
    await rows(
      app.em(),
      `update system_mails set created_at = created_at - interval '31 days' where kind = 'referrals.invite'`,
    );
    await send(two, 'enough@invited.test').expect(201);
    await settled();
    expect(app.mails.to('enough@invited.test')).toHaveLength(1);
  });

  it('refuses any other token', async () => {
    const user = await app.user();
    const inviteToken = linkIn(await invite(app, user, 'swap@invited.test'), '/invite/').pathname.slice(
      '/invite/'.length,
    );
    for (const wrong of [inviteToken, 'x', 'x'.repeat(43), ''])
      expect((await optOut(wrong).expect(404)).body.code).toBe('token_invalid');
    await app.http().post('/api/referrals/opt-out').send({}).expect(400);
  });
});

describe('the referrals screen', () => {
  it('shows the link', async () => {
    const user = await app.user();
    const { body } = await user.agent.get('/api/referrals/code').expect(200);
    expect(body).toEqual({ code: await codeOf(user), referralUrl: `http://staffcast.test/invite/${body.code}` });
    for (const path of ['/api/referrals', '/api/referrals/code', '/api/referrals/invites'])
      await app.http().get(path).expect(401);
  });

  it('pages the own invites only', async () => {
    const [user, stranger] = [await app.user(), await app.user()];
    for (let i = 0; i < 5; i += 1) await send(user, `page${i}@invited.test`).expect(201);
    await send(stranger, 'foreign@invited.test').expect(201);
    const seen: string[] = [];
    let path: string | undefined = '/api/referrals/invites?limit=2';
    while (path) {
      const { body, headers }: { body: { inviteeEmail: string }[]; headers: Record<string, string> } = await user.agent
        .get(path)
        .expect(200);
      expect(headers['x-total-count']).toBe('5');
      seen.push(...body.map(({ inviteeEmail }) => inviteeEmail));
      path = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `page${i}@invited.test`));
    expect((await user.agent.get('/api/referrals/invites').expect(200)).body).toHaveLength(5);
    expect((await user.agent.get('/api/referrals/invites?limit=10&search=PAGE3').expect(200)).body).toMatchObject([
      { inviteeEmail: 'page3@invited.test' },
    ]);
    await user.agent.get('/api/referrals/invites?sort=token').expect(400);
    await user.agent.get('/api/referrals/invites?limit=2&cursor=abc').expect(400);
  });
});
