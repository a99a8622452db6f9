import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { address, addTo, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let ann: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
  ann = await app.user();
});
afterAll(() => app.close());

const ids = (body: { id: string }[]) => body.map(({ id }) => id);
const linkTo = ({ headers }: { headers: Record<string, string> }, page: 'next' | 'prev') =>
  new RegExp(`<([^>]+)>; rel="${page}"`).exec(headers.link!)![1]!;

describe('the contacts page', () => {
  it('finds contacts by a part of an address or the start of a name or company, and is paged by keyset in any order', async () => {
    const cid = await app.user();
    const list = await newList(cid);
    const people = [];
    for (const [n, [firstName, lastName, company]] of [
      ['Ada', 'Zimmer', 'beta corp'],
      ['Bea', 'Young', 'Alpha Inc'],
      [null, null, null],
      ['zoe', 'adams', 'Gamma'],
    ].entries())
      people.push(
        await newContact(cid, {
          email: `k${n}@firm${n}.example`,
          firstName,
          lastName,
          company,
          listIds: n === 0 ? [list] : [],
        }),
      );
    const find = async (query: string) =>
      (await cid.agent.get(`/api/contacts?limit=50&${query}`).expect(200)).body as { id: string; email: string }[];
    const [ada, bea, none, zoe] = ids(people) as [string, string, string, string];
    expect(ids(await find('sort=name'))).toEqual([none, zoe, bea, ada]);
    expect(ids(await find('sort=-company'))).toEqual([zoe, ada, bea, none]);
    expect(ids(await find('sort=createdAt'))).toEqual([ada, bea, none, zoe]);
    expect(ids(await find('search=ZIM'))).toEqual([ada]);
    expect(ids(await find('search=ada')).sort()).toEqual([ada, zoe].sort());
    expect(ids(await find('search=alpha'))).toEqual([bea]);
    expect(ids(await find('search=irm2'))).toEqual([none]);
    expect(ids(await find('search=%25'))).toEqual([]);
    expect(ids(await find(`list=${list}`))).toEqual([ada]);
    expect(ids(await find('consent=pending'))).toEqual([ada]);
    expect(ids(await find('domain=FIRM3.example'))).toEqual([zoe]);
    const first = await cid.agent.get('/api/contacts?limit=2&sort=-lastMailedAt').expect(200);
    expect(first.headers['x-total-count']).toBe('4');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    const second = await cid.agent.get(next).expect(200);
    expect(new Set([...ids(first.body), ...ids(second.body)]).size).toBe(4);
    await cid.agent.get('/api/contacts?limit=2&sort=email').expect(400);
    await cid.agent.get('/api/contacts?limit=2&cursor=x').expect(400);
    expect((await cid.agent.get('/api/contacts').expect(200)).body).toHaveLength(4);
    expect((await cid.agent.get('/api/contacts/preparation').expect(200)).body).toEqual({
      preparing: false,
      done: 0,
      total: 0,
    });
  });

  it('pages through a search that more fit than are counted, newest first, wherever the matches lie', async () => {
    const eve = await app.user();
    const domain = address().split('@')[0]!;
    // 11,000 people are called Kumar. 100 of them are among the newest 20,000; the others come after 25,000 other
    // people.
    await sql(
      `insert into contact_profiles (owner_id, email, email_norm, email_hash, last_name, source, created_at)
       select ?, e, e, sha256(e::bytea), case when n <= 100 or n > 25100 then 'Kumar' || n % 7 else 'Other' end, 'owner', now() - n * interval '1 second'
       from (select n, 'p' || n || ? as e from generate_series(1, 36000) n) x`,
      [eve.id, `@${domain}.example`],
    );
    let path: string | undefined = '/api/contacts?limit=60&search=kuMar';
    const seen: string[] = [];
    for (let pages = 0; path && pages < 4; pages++) {
      const { body, headers }: { body: unknown; headers: Record<string, string> } = await eve.agent
        .get(path)
        .expect(200);
      expect(headers['x-total-count']).toBe('10000');
      seen.push(...(body as { email: string }[]).map(({ email }) => email));
      path = /<([^>]+)>; rel="next"/.exec(headers.link!)?.[1];
    }
    const expected = [...Array(100).keys(), ...Array.from({ length: 140 }, (_, i) => 25_100 + i)];
    expect(seen).toEqual(expected.map((n) => `p${n + 1}@${domain}.example`));
    const oldest = await eve.agent.get('/api/contacts?limit=2&search=kumar&sort=createdAt').expect(200);
    expect((oldest.body as { email: string }[])[0]!.email).toBe(`p36000@${domain}.example`);
    const byName = await eve.agent.get('/api/contacts?limit=2&search=kumar&sort=name').expect(200);
    expect((byName.body as { lastName: string }[]).map(({ lastName }) => lastName)).toEqual(['Kumar0', 'Kumar0']);
    const few = await eve.agent.get('/api/contacts?limit=2&search=p3599').expect(200);
    expect(few.headers['x-total-count']).toBe('11');
    // A search that few fit reads each index once, for its page, its total and whether it is too common.
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    await eve.agent.get('/api/contacts?limit=2&search=p3598').expect(200);
    const texts = statements.mock.calls.map(([given]: unknown[]) =>
      typeof given === 'string' ? given : (given as { text: string }).text,
    );
    statements.mockRestore();
    expect(texts.filter((text) => text.includes(' like $'))).toHaveLength(1);
    const second = await eve.agent.get(linkTo(few, 'next')).expect(200);
    expect((second.body as { email: string }[]).map(({ email }) => email)).toEqual(
      [35_991, 35_992].map((n) => `p${n}@${domain}.example`),
    );
    const back = await eve.agent.get(linkTo(second, 'prev')).expect(200);
    expect([back.body, back.headers['x-total-count']]).toEqual([few.body, '11']);
    const nobody = await eve.agent.get('/api/contacts?limit=2&search=nobodyhere').expect(200);
    expect([nobody.body, nobody.headers['x-total-count']]).toEqual([[], '0']);

    // A search for a part of the address finds only people on lists, among the newest 20,000 and beyond.
    const list = await newList(eve);
    await sql(
      `insert into subscriptions (email_list_id, profile_id, email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, opt_in_state)
       select ?::uuid, p.id, p.email, p.email_norm, p.email_hash, 'job-posts', true, now(), rtrim(translate(encode(sha256(p.email::bytea), 'base64'), '+/', '-_'), '='), 'none'
       from contact_profiles p where p.owner_id = ? and p.last_name like 'Kumar%'`,
      [list, eve.id],
    );
    const byPart: string[] = [];
    path = `/api/contacts?limit=60&search=${domain}`;
    for (let pages = 0; path && pages < 3; pages++) {
      const answer: { body: unknown; headers: Record<string, string> } = await eve.agent.get(path).expect(200);
      byPart.push(...(answer.body as { email: string }[]).map(({ email }) => email));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.link!)?.[1];
    }
    expect(byPart).toEqual(expected.slice(0, 180).map((n) => `p${n + 1}@${domain}.example`));
  });

  it('remembers the columns of each user, and refuses unknown columns', async () => {
    const dee = await app.user();
    const usual = (await dee.agent.get('/api/contact-columns').expect(200)).body;
    expect(usual).toEqual({ columns: ['company', 'jobTitle', 'lists', 'tags', 'consent', 'lastMailedAt'] });
    for (const columns of [['consent', 'field.tier'], ['city']])
      await dee.agent.put('/api/contact-columns').send({ columns }).expect(200);
    for (const columns of [['name'], ['field.'], ['field.__proto__'], ['city', 'city'], 'city', [1], null])
      await dee.agent.put('/api/contact-columns').send({ columns }).expect(400);
    expect((await dee.agent.get('/api/contact-columns').expect(200)).body).toEqual({ columns: ['city'] });
    expect((await ann.agent.get('/api/contact-columns').expect(200)).body).toEqual(usual);
  });

  it("shows each person's consent over all lists", async () => {
    const list = await newList(ann);
    const { id } = await newContact(ann, { listIds: [list] });
    const consent = async () => (await ann.agent.get(`/api/contacts/${id}`).expect(200)).body.consent;
    const events = async () =>
      (await ann.agent.get(`/api/contacts/${id}/evidence`).expect(200)).body.consentEvents as { kind: string }[];
    // Waits until consent was requested, because an answer can only come afterwards.
    await until(async () => (await events()).some(({ kind }) => kind === 'requested'));
    await sql(`update subscriptions set confirmed = true, confirmed_at = now() where profile_id = ?`, [id]);
    expect(await consent()).toBe('mailable');
    const [{ token }] = (await sql<{ token: string }>(
      `select unsubscribe_token as token from subscriptions where profile_id = ?`,
      [id],
    )) as [{ token: string }];
    await app.http().post(`/api/unsubscribe/${token}/everything`).send({});
    await app.http().post(`/unsubscribe/${token}`).send('List-Unsubscribe=One-Click').expect(200);
    expect(await consent()).toBe('left');
    expect((await events()).at(-1)).toMatchObject({ kind: 'withdrawn' });
    await ann.agent
      .delete(
        `/api/email-lists/${list}/subscribers/${(await ann.agent.get(`/api/contacts/${id}`)).body.lists[0].membershipId}`,
      )
      .expect(204);
    expect(await consent()).toBe('left');
  });

  it('never shows members of the network', async () => {
    const admin = await app.user({ admin: true });
    const [network] = await sql<{ id: string }>(`select id from email_lists where is_default`);
    await addTo(admin, network!.id, { email: address() }).then(({ profileId }) => expect(profileId).toBeNull());
    expect((await admin.agent.get('/api/contacts?limit=10').expect(200)).body).toEqual([]);
    await admin.agent.get(`/api/contacts?limit=10&list=${network!.id}`).expect(404);
    await admin.agent
      .post('/api/contacts')
      .send({ email: address(), listIds: [network!.id] })
      .expect(404);
  });
});
