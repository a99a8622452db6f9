import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Attribution } from '../../../src/modules/referrals/attribution.service.js';
import { ReferralSweeper } from '../../../src/modules/referrals/referral-sweeper.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { EventBus } from '../../../src/shared/events/event-bus.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { codeOf, conversions, invite, register } from './support.js';

let app: TestApp;
/** An instance that fails after the commit of a registration and before its event. */
let dying: TestApp;

beforeAll(async () => {
  app = await startApp();
  dying = await startApp({
    beside: app,
    override: (builder) => builder.overrideProvider(EventBus).useValue({ emit: () => Promise.resolve() }),
  });
});
afterAll(async () => {
  await dying.close();
  await app.close();
});

const visit = (path: string, agent = request.agent(app.url)) => agent.get(path).redirects(0).expect(302);
const invitesOf = async (user: Awaited<ReturnType<TestApp['user']>>) =>
  (await user.agent.get('/api/referrals').expect(200)).body;

describe('/invite/{code}', () => {
  it('redirects to the form, with or without a code', async () => {
    const code = await codeOf(await app.user());
    expect((await visit(`/invite/${code}`)).headers.location).toBe(`/register?ref=${code}`);
    expect((await visit('/invite')).headers.location).toBe('/register');
    expect((await visit('/invite/')).headers.location).toBe('/register');
  });

  it('does not reveal an invalid code and stores no reference', async () => {
    for (const bad of ['NOSUCHCODE', 'x'.repeat(43), "a'b--", '..%2F..%2Fadmin', '%0d%0aSet-Cookie:x=1']) {
      const answer = await visit(`/invite/${bad}`);
      expect(answer.headers.location).toMatch(/^\/register\?ref=[\w%.'-]+$/);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await visit(`/invite/${'x'.repeat(300)}`)).headers.location).toBe('/register');
  });

  it('stores only a hash of the visitor, for 30 days; a HEAD request stores nothing', async () => {
    const code = await codeOf(await app.user());
    const head = await app.http().head(`/invite/${code}`).redirects(0);
    expect(head.headers['set-cookie']).toBeUndefined();
    const [cookie] = (await visit(`/invite/${code}`)).headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^staffcast_visitor=[\w-]{43}; Max-Age=2592000; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const value = /=([\w-]{43});/.exec(cookie!)![1]!;
    const stored = await rows<{ sid: string; days: number }>(
      app.em(),
      `select sid, round(extract(epoch from expire - now()) / 86400)::int as days from sessions where sess ->> 'referral' = ?`,
      [code],
    );
    expect(stored).toEqual([{ sid: expect.not.stringContaining(value), days: 30 }]);
  });

  it('shows the inviter on the form, and nothing for a bad code', async () => {
    const user = await app.user({ firstName: 'Priya', lastName: 'Raman' });
    const ask = async (ref: string) => (await app.http().post('/api/referrals/visit').send({ ref }).expect(200)).body;
    expect(await ask((await codeOf(user)).toLowerCase())).toEqual({ inviterName: 'Priya Raman' });
    expect(await ask('NOSUCHCODE')).toEqual({ inviterName: null });
    expect(await ask('')).toEqual({ inviterName: null });
  });
});

describe('a registration', () => {
  it('with a code counts at once, for its owner, once', async () => {
    const referrer = await app.user();
    const { body } = await register(app, await codeOf(referrer)).expect(201);
    expect(await conversions(app, body.user.id)).toEqual([{ referrer: referrer.id, type: 'signup', invite: null }]);
    expect((await invitesOf(referrer)).stats).toEqual({
      totalInvites: 0,
      pendingInvites: 0,
      acceptedInvites: 0,
      signupConversions: 1,
      paidConversions: 0,
    });
  });

  it('is never prevented by a bad code', async () => {
    for (const bad of [
      'NOSUCHCODE',
      '',
      '   ',
      'x'.repeat(43),
      'x'.repeat(5000),
      'a\u2028b\r\n',
      "'; drop table users",
    ]) {
      const { body } = await register(app, bad).expect(201);
      expect(await conversions(app, body.user.id)).toEqual([]);
    }
  });

  it('by a returning visitor counts, once', async () => {
    const referrer = await app.user();
    const agent = request.agent(app.url);
    await visit(`/invite/${await codeOf(referrer)}`, agent);
    await agent.get('/').expect(200);
    const first = await register(app, undefined, { agent }).expect(201);
    expect(await conversions(app, first.body.user.id)).toMatchObject([{ referrer: referrer.id }]);
    await agent.post('/api/auth/logout').expect(200);
    const second = await register(app, undefined, { agent }).expect(201);
    expect(await conversions(app, second.body.user.id)).toEqual([]);
  });

  it('by a visitor with a bad code counts for the earlier link', async () => {
    const referrer = await app.user();
    const agent = request.agent(app.url);
    await visit(`/invite/${await codeOf(referrer)}`, agent);
    const { body } = await register(app, 'NOSUCHCODE', { agent }).expect(201);
    expect(await conversions(app, body.user.id)).toMatchObject([{ referrer: referrer.id }]);
  });

  it("that fails keeps the visitor's reference, which expires after 30 days", async () => {
    const referrer = await app.user();
    const taken = await app.user();
    const agent = request.agent(app.url);
    await visit(`/invite/${await codeOf(referrer)}`, agent);
    await register(app, undefined, { agent, email: taken.email }).expect(409);
    await rows(app.em(), `update sessions set expire = now() - interval '1 second'`);
    const late = await register(app, undefined, { agent }).expect(201);
    expect(await conversions(app, late.body.user.id)).toEqual([]);
  });

  it("with one's own code, under an alias of one's own mailbox, earns nothing", async () => {
    const owner = await app.user({ email: 'sam.owner@gmail.com' });
    const code = await codeOf(owner);
    for (const email of ['sam.owner+pro@gmail.com', 'samowner@gmail.com', 's.a.m.owner@googlemail.com']) {
      const { body } = await register(app, code, { email }).expect(201);
      expect(await conversions(app, body.user.id)).toEqual([]);
    }
    expect((await invitesOf(owner)).stats.signupConversions).toBe(0);
  });

  it('with one code, thirty concurrent times, creates one conversion each', async () => {
    const referrer = await app.user();
    const code = await codeOf(referrer);
    const ids = (await Promise.all(Array.from({ length: 30 }, () => register(app, code).expect(201)))).map(
      ({ body }) => body.user.id as string,
    );
    const found = await rows<{ n: number; people: number }>(
      app.em(),
      `select count(*)::int as n, count(distinct referred_user_id)::int as people from referral_conversions where referrer_user_id = ?`,
      [referrer.id],
    );
    expect(found).toEqual([{ n: 30, people: 30 }]);
    await Promise.all(ids.map((id) => app.get(Attribution).onRegistered({ userId: id })));
    expect((await invitesOf(referrer)).stats.signupConversions).toBe(30);
  });

  it('with one address, thirty concurrent times, creates one account and one conversion', async () => {
    const referrer = await app.user();
    const code = await codeOf(referrer);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => register(app, code, { email: 'same@referred.test' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29);
    expect((await invitesOf(referrer)).stats.signupConversions).toBe(1);
  });
});

describe('the link of an invite', () => {
  it('can be used for one registration only, is shown as used, and names the inviter', async () => {
    const inviter = await app.user();
    const link = linkIn(await invite(app, inviter, 'asked@invited.test'), '/invite/');
    const token = link.pathname.slice('/invite/'.length);
    expect((await visit(link.pathname)).headers.location).toBe(`/register?ref=${token}`);
    const { body } = await register(app, token, { email: 'asked@invited.test' }).expect(201);
    const again = await register(app, token).expect(201);
    const overview = await invitesOf(inviter);
    expect(overview.invites).toMatchObject([
      { inviteeEmail: 'asked@invited.test', status: 'accepted', acceptedAt: expect.any(String) },
    ]);
    expect(overview.stats).toMatchObject({
      totalInvites: 1,
      pendingInvites: 0,
      acceptedInvites: 1,
      signupConversions: 1,
    });
    expect(await conversions(app, body.user.id)).toMatchObject([
      { referrer: inviter.id, invite: overview.invites[0].id },
    ]);
    expect(await conversions(app, again.body.user.id)).toEqual([]);
  });

  it('used ten times concurrently counts once', async () => {
    const inviter = await app.user();
    const token = linkIn(await invite(app, inviter, 'race@invited.test'), '/invite/').pathname.slice('/invite/'.length);
    await Promise.all(Array.from({ length: 10 }, () => register(app, token).expect(201)));
    expect((await invitesOf(inviter)).stats).toMatchObject({ acceptedInvites: 1, signupConversions: 1 });
  });

  it('is invalid after 30 days', async () => {
    const inviter = await app.user();
    const token = linkIn(await invite(app, inviter, 'late@invited.test'), '/invite/').pathname.slice('/invite/'.length);
    await rows(
      app.em(),
      `update referral_invites set sent_at = now() - interval '31 days', expires_at = now() - interval '1 day' where inviter_user_id = ?`,
      [inviter.id],
    );
    expect((await invitesOf(inviter)).invites).toMatchObject([{ status: 'expired' }]);
    const { body } = await register(app, token).expect(201);
    expect(await conversions(app, body.user.id)).toEqual([]);
    await app.get(ReferralSweeper).sweep();
    expect(await rows(app.em(), `select status from referral_invites where inviter_user_id = ?`, [inviter.id])).toEqual(
      [{ status: 'expired' }],
    );
  });

  it("is marked as accepted where the invited person used the user's own link", async () => {
    const inviter = await app.user();
    await invite(app, inviter, 'byLink@invited.test');
    await register(app, await codeOf(inviter), { email: 'bylink@invited.test' }).expect(201);
    expect((await invitesOf(inviter)).invites).toMatchObject([
      { inviteeEmail: 'byLink@invited.test', status: 'accepted' },
    ]);
  });
});

describe('a crash between commit and event', () => {
  it('loses no attribution: two concurrent sweepers count it once', async () => {
    const referrer = await app.user();
    const { body } = await register(dying, await codeOf(referrer)).expect(201);
    expect(
      await rows(app.em(), `select referral_refs is not null as waits from users where id = ?`, [body.user.id]),
    ).toEqual([{ waits: true }]);
    await Promise.all([app.get(ReferralSweeper).sweep(), dying.get(ReferralSweeper).sweep()]);
    expect(await conversions(app, body.user.id)).toMatchObject([{ referrer: referrer.id, type: 'signup' }]);
    expect(
      await rows(app.em(), `select referral_refs is null as done from users where id = ?`, [body.user.id]),
    ).toEqual([{ done: true }]);
  });
});
