import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { Audience } from '../../../src/modules/lists/index.js';
import { networkToken } from '../../../src/modules/lists/unsubscribe/unsubscribe-links.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList } from '../sending/support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let network: string;

beforeAll(async () => {
  app = await startApp();
  ann = await app.user({ firstName: 'Ann', lastName: 'Kumar', set: { agency_name: 'Northline' } });
  bob = await app.user({ firstName: 'Bob', lastName: 'Hale' });
  [{ id: network }] = (await query<{ id: string }>('select id from email_lists where is_default')) as [{ id: string }];
});
afterAll(() => app.close());

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const address = () => `l${randomBytes(5).toString('hex')}@vendor.example`;
const post = (token: string, path = '', body?: object) =>
  app.http().post(`/api/unsubscribe/${token}${path}`).send(body);

/** Puts an address on a list of Ann's, on one of Bob's and on the default list. @returns the tokens of mails to it */
async function onAll(email = address()) {
  const lists = {
    ann: await seedList(app, ann, { addresses: [email], name: 'Java vendors' }),
    bob: await seedList(app, bob, { addresses: [email], name: 'Bench' }),
  };
  const all = await seedList(app, null, { addresses: [email] });
  const tokenOf = async (list: SeededList) =>
    (
      await query<{ t: string }>(
        'select unsubscribe_token as t from subscriptions where email_list_id = ? and email_norm = ?',
        [list.id, email],
      )
    )[0]!.t;
  return {
    email,
    lists,
    own: await tokenOf(lists.ann),
    bare: await tokenOf(all),
    fromAnn: networkToken(await tokenOf(all), ann.id),
  };
}

/** Lists on which the address is still mailable: each own list for its owner, the default list for either user. */
async function mailed(email: string, lists: Record<'ann' | 'bob', SeededList>) {
  const reaches = async (user: SignedUp, list: string) => {
    const { sql, params } = app.get(Audience).selectSql([{ id: list }], 'job-posts', user.id);
    return (await query(`select 1 from (${sql}) r where email = ?`, [...params, email])).length > 0;
  };
  return {
    ann: await reaches(ann, lists.ann.id),
    bob: await reaches(bob, lists.bob.id),
    annNetwork: await reaches(ann, network),
    bobNetwork: await reaches(bob, network),
  };
}

describe('the link of a mail to the network', () => {
  it("unsubscribes the address from the network for every sender, and from its sender's own lists", async () => {
    const { email, lists, fromAnn } = await onAll();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.http().post(`/unsubscribe/${fromAnn}`).type('form').send('List-Unsubscribe=One-Click'),
      ),
    );
    for (const { status, body, headers } of answers) {
      expect([status, body.email, headers['set-cookie']]).toEqual([200, email, undefined]);
    }
    expect(await mailed(email, lists)).toEqual({ ann: false, bob: true, annNetwork: false, bobNetwork: false });
    expect(
      await query(`select 1 from consent_events where address_hash = sha256(?::bytea) and kind = 'withdrawn'`, [email]),
    ).toHaveLength(1);
  });

  it('with an invalid sender unsubscribes from the network, and creates no row for the sender', async () => {
    const { email, lists, bare } = await onAll();
    for (let n = 0; n < 5; n += 1) await post(networkToken(bare, randomUUID())).expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: true, annNetwork: false, bobNetwork: false });
    expect(await query(`select scope from suppressions where address_hash = sha256(?::bytea)`, [email])).toEqual([
      { scope: 'network' },
    ]);
    expect(
      await query(`select 1 from consent_events where address_hash = sha256(?::bytea) and kind = 'withdrawn'`, [email]),
    ).toHaveLength(1);
  });

  it('can be undone up to a limit; unsubscribing is never limited', async () => {
    const strict = await startApp({ beside: app, env: { RATE_LIMITS: 'on' } });
    try {
      const { own } = await onAll();
      const act = (path = '') => strict.http().post(`/api/unsubscribe/${own}${path}`).send();
      const statuses = [];
      for (let n = 0; n < 32; n += 1) {
        await act().expect(200);
        statuses.push((await act('/undo')).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(429);
      await act().expect(200);
    } finally {
      await strict.close();
    }
  });

  it('in older mails without a sender unsubscribes from the network', async () => {
    const { email, lists, bare } = await onAll();
    await post(bare).expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: true, annNetwork: false, bobNetwork: false });
  });

  it('can be undone in all its effects', async () => {
    const { email, lists, fromAnn } = await onAll();
    await post(fromAnn).expect(200);
    await post(fromAnn, '/undo').expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: true, annNetwork: true, bobNetwork: true });
    await post(fromAnn).expect(200);
    await query(
      `update suppressions set created_at = now() - interval '11 minutes' where address_hash = sha256(?::bytea)`,
      [email],
    );
    expect((await post(fromAnn, '/undo').expect(410)).body.code).toBe('undo_expired');
  });

  it('works after its sender and its contact were deleted', async () => {
    const gone = await app.user();
    const { email, lists, bare } = await onAll();
    await query('delete from users where id = ?', [gone.id]);
    const token = networkToken(bare, gone.id);
    expect((await post(token).expect(200)).body.email).toBe(email);
    expect(await mailed(email, lists)).toMatchObject({ bobNetwork: false, bob: true });
    expect((await post(token).expect(200)).body.email).toBe(email);
  });

  it('cannot be forged without the secret; with a changed sender it allows only what the person may do', async () => {
    const { email, lists, own } = await onAll();
    for (const wrong of [`${'a'.repeat(43)}.${own.slice(0, 22)}`, `${own}.x`, `${own}.${'b'.repeat(22)}.c`])
      await post(wrong).expect(404);
    await post(networkToken(own, bob.id)).expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: false, bob: true, annNetwork: false, bobNetwork: true });
  });
});

describe('the preference view', () => {
  it('shows the senders with their lists, without changing anything', async () => {
    const { email, lists, own } = await onAll();
    const { body } = await app.http().get(`/api/unsubscribe/${own}/senders`).expect(200);
    expect(body.email).toBe(email);
    expect(body.senders).toEqual([
      { id: 'network', name: 'The Staffcast network', agencyName: null, lists: ['Entire network'], left: false },
      { id: bob.id, name: 'Bob Hale', agencyName: null, lists: ['Bench'], left: false },
      { id: ann.id, name: 'Ann Kumar', agencyName: 'Northline', lists: ['Java vendors'], left: false },
    ]);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: true, annNetwork: true, bobNetwork: true });
    await app
      .http()
      .get(`/api/unsubscribe/${'a'.repeat(43)}/senders`)
      .expect(404);
  });

  it('unsubscribes from one sender, and can undo that', async () => {
    const { email, lists, own } = await onAll();
    await post(own, '/leave', { sender: bob.id }).expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: false, annNetwork: true, bobNetwork: false });
    const { body } = await app.http().get(`/api/unsubscribe/${own}/senders`).expect(200);
    expect(
      body.senders.filter((sender: { left: boolean }) => sender.left).map((sender: { id: string }) => sender.id),
    ).toEqual([bob.id]);
    await post(own, '/undo', { sender: bob.id }).expect(200);
    expect(await mailed(email, lists)).toMatchObject({ bob: true, bobNetwork: true });
    await post(own, '/leave', { sender: 'network' }).expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: true, bob: true, annNetwork: false, bobNetwork: false });
  });

  it('shows the unsubscription until all of it is undone', async () => {
    const { own, fromAnn } = await onAll();
    const left = async (token: string) =>
      (await app.http().get(`/api/unsubscribe/${token}/senders`).expect(200)).body.left as boolean;
    await post(own, '/leave', { sender: bob.id }).expect(200);
    expect(await left(own)).toBe(false);
    await post(fromAnn).expect(200);
    expect(await left(own)).toBe(true);
    await post(fromAnn, '/undo', { sender: 'network' }).expect(200);
    expect(await left(fromAnn)).toBe(true);
    await post(fromAnn, '/undo', { sender: ann.id }).expect(200);
    expect([await left(fromAnn), await left(own)]).toEqual([false, false]);
    await post(own, '/all').expect(200);
    expect(await left(own)).toBe(true);
  });

  it('shows only senders who have the address', async () => {
    const { own } = await onAll();
    const stranger = await app.user();
    for (const sender of [stranger.id, 'x', "' or 1=1"])
      expect((await post(own, '/leave', { sender }).expect(404)).body.code).toBe('not_found');
    await post(own, '/leave', {}).expect(400);
  });

  it('unsubscribes from all senders', async () => {
    const { email, lists, own } = await onAll();
    await post(own, '/all').expect(200);
    expect(await mailed(email, lists)).toEqual({ ann: false, bob: false, annNetwork: false, bobNetwork: false });
    const { body } = await app.http().get(`/api/unsubscribe/${own}/senders`).expect(200);
    expect(body.senders.every((sender: { left: boolean }) => sender.left)).toBe(true);
  });
});
