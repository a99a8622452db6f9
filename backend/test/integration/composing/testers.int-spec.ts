import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList } from '../sending/support.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const anybody = () => `t-${randomUUID().slice(0, 8)}@testers.test`;
const add = (user: SignedUp, address: string) => user.agent.post('/api/testers').send({ address });
const confirm = (token: string | null) => app.http().post('/api/testers/confirm').send({ token });
const tokenFor = async (address: string) =>
  linkIn((await app.mails.waitFor(address)).at(-1)!, '/testers/confirm').searchParams.get('token');
const mailsFor = (address: string) =>
  rows<{ status: string }>(
    app.em(),
    `select status from system_mails where kind = 'composing.tester' and recipient_hash = sha256(?::bytea)`,
    [address],
  );

describe('a tester', () => {
  it('is asked by one mail, confirms by its link, and can be removed by the user alone', async () => {
    const [ann, bob] = [await app.user({ firstName: 'Ann' }), await app.user()];
    const address = anybody();
    const { body: added } = await add(ann, address).expect(201);
    expect(added).toMatchObject({ address, state: 'waiting' });
    const [mail] = await app.mails.waitFor(address);
    expect(mail!.subject).toBe('Ann Kumar wants to send you tests of emails before they go out');
    expect(mail!.text).toContain('Ignore this and nothing will come');
    expect(new Set(mail!.text.match(/https?:\/\/\S+/g))).toHaveProperty('size', 1);
    const token = await tokenFor(address);
    // Confirms twice, because a page that is reloaded must show the same.
    for (let times = 0; times < 2; times++)
      expect((await confirm(token).expect(200)).body).toEqual({ message: 'Ann Kumar can send you tests now.' });
    const { body: all, headers } = await ann.agent.get('/api/testers').expect(200);
    expect(all).toMatchObject([{ id: added.id, state: 'confirmed' }]);
    expect(headers['x-total-count']).toBe('1');
    expect((await bob.agent.get('/api/testers').expect(200)).body).toEqual([]);
    for (const id of [added.id as string, randomUUID(), 'x']) await bob.agent.delete(`/api/testers/${id}`).expect(404);
    await ann.agent.delete(`/api/testers/${added.id}`).expect(204);
    await confirm(token).expect(404);
  });

  it('is not asked twice in 10 minutes, nor by more than three confirmation mails a day', async () => {
    const [ann, bob, cid, dan] = await Promise.all([1, 2, 3, 4].map(() => app.user()));
    const address = anybody();
    const { body: added } = await add(ann!, address).expect(201);
    await add(ann!, address)
      .expect(429)
      .expect(({ body, headers }) => {
        expect(body.code).toBe('rate_limited');
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      });
    // Removing the tester first does not reset the limit.
    await ann!.agent.delete(`/api/testers/${added.id}`).expect(204);
    await add(ann!, address).expect(429);
    await add(bob!, address).expect(201);
    await add(cid!, address).expect(201);
    await add(dan!, address).expect(429);
    expect(await mailsFor(address)).toHaveLength(3);
  });

  it('shares the three a day with the confirmation mails of lists', async () => {
    const address = anybody();
    for (let times = 0; times < 3; times++) await add(await app.user(), address).expect(201);
    const owner = await app.user();
    const list = await seedList(app, owner, { addresses: ['other@people.test'] });
    await app
      .http()
      .post('/api/subscribe')
      .send({ email: address, subscriptionType: 'job-posts', emailListId: list.id })
      .expect(200);
    const { OptInDispatcher } = await import('../../../src/modules/lists/opt-in/opt-in-dispatcher.js');
    await app.get(OptInDispatcher).sweep();
    const optIns = await rows(
      app.em(),
      `select 1 from system_mails where kind = 'lists.opt-in' and recipient_hash = sha256(?::bytea)`,
      [address],
    );
    expect(optIns).toEqual([]);
  });

  it('can be asked again after 10 minutes, by a new link; the old one has gone', async () => {
    const ann = await app.user();
    const address = anybody();
    await add(ann, address).expect(201);
    const first = await tokenFor(address);
    await rows(app.em(), `update system_mails set created_at = now() - interval '11 minutes' where subject_id = ?`, [
      ann.id,
    ]);
    await add(ann, address).expect(201);
    await app.mails.waitFor(address, 2);
    await confirm(first).expect(404);
    const second = await tokenFor(address);
    await rows(app.em(), `update testers set asked_at = now() - interval '31 days' where user_id = ?`, [ann.id]);
    expect((await confirm(second).expect(410)).body.code).toBe('link_expired');
  });

  it('is one of five at the most, also where they are added at the same time', async () => {
    const ann = await app.user({ set: { tier: 'pro' } });
    const answers = await Promise.all(Array.from({ length: 7 }, () => add(ann, anybody())));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(2);
    for (const { status, body } of refused)
      expect([status, body.code, body.message]).toEqual([409, 'too_many', 'You have 5 testers already']);
  });

  it('gets no mail after it left everything or complained, and the answer does not tell', async () => {
    const ann = await app.user();
    const address = anybody();
    await rows(
      app.em(),
      `insert into suppressions (scope, address_hash, reason) values ('all', sha256(?::bytea), 'unsubscribed')`,
      [address],
    );
    expect((await add(ann, address).expect(201)).body).toMatchObject({ address, state: 'waiting' });
    await add(ann, address).expect(429);
    expect(await mailsFor(address)).toEqual([{ status: 'failed' }]);
    expect(app.mails.to(address)).toEqual([]);
  });

  it.each([
    ['a line break', 'a@testers.test\r\nBcc: b@testers.test'],
    ['two addresses', 'a@testers.test, b@testers.test'],
    ['no address', 'nobody'],
  ])('is refused: %s', async (_what, address) => {
    const ann = await app.user();
    expect((await add(ann, address).expect(400)).body.details[0].field).toBe('address');
  });

  it('is refused as the own address, with further fields, and from an unverified account', async () => {
    const [ann, new_] = [await app.user(), await app.user({ verified: false })];
    await add(ann, ann.email.toUpperCase()).expect(400);
    await ann.agent.post('/api/testers').send({ address: anybody(), name: 'x' }).expect(400);
    const { body } = await add(new_, anybody()).expect(403);
    expect([body.code, body.message]).toEqual(['email_unverified', 'Verify your email address first.']);
  });

  it.each([['a'.repeat(43)], ['x'], ['']])('has no link %j', async (token) => void (await confirm(token).expect(404)));
});
