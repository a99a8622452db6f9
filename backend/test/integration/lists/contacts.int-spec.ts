import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = await Promise.all([
    app.user({ set: { agency_name: 'Acme Staffing' } }),
    app.user({ role: 'bench-sales' }),
  ]);
});
afterAll(() => app.close());
const address = () => `c${randomBytes(5).toString('hex')}@vendor.example`;

async function newList(user: SignedUp, body: object = {}): Promise<{ id: string; slug: string; name: string }> {
  const { body: list } = await user.agent
    .post('/api/email-lists')
    .send({ name: 'Java vendors', ...body })
    .expect(201);
  return list;
}

describe('contacts', () => {
  it("start as pending, whatever the request says; the type follows the owner's role", async () => {
    const list = await newList(bob);
    const email = 'Sam.Vendor@Bücher.example';
    const { body } = await bob.agent
      .post(`/api/email-lists/${list.id}/subscribers`)
      .send({ email: ` ${email} `, name: 'Sam' })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      email: 'Sam.Vendor@xn--bcher-kva.example',
      name: 'Sam',
      subscriptionType: 'candidate-lists',
      confirmed: false,
      suppressed: null,
      createdAt: expect.any(String),
      profileId: expect.any(String),
    });
    const again = await bob.agent
      .post(`/api/email-lists/${list.id}/subscribers`)
      .send({ email: 'sam.vendor@BÜCHER.example' })
      .expect(409);
    expect(again.body.code).toBe('contact_exists');
    for (const bad of [
      { email: 'x' },
      { email: 'a@x.example, b@x.example' },
      { email: 'ök@x.example' },
      { email: 'A <a@x.example>' },
      { email: 'a@x.example\r\nRCPT TO:<b@x.example>' },
      { email: ['a@x.example'] },
      {},
    ]) {
      const answer = await bob.agent.post(`/api/email-lists/${list.id}/subscribers`).send(bad).expect(400);
      expect(answer.body.message).toBe('Please enter a valid email address');
    }
    await bob.agent
      .post(`/api/email-lists/${list.id}/subscribers`)
      .send({ email: address(), confirmed: true })
      .expect(400);
    const { body: after } = await bob.agent.get(`/api/email-lists/${list.id}`).expect(200);
    expect(after.contactCount).toBe(1);
  });

  it('have one row per address, also when added concurrently', async () => {
    const list = await newList(ann);
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ann.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('can be changed and removed; a changed address is pending again', async () => {
    const list = await newList(ann);
    const { body: contact } = await ann.agent
      .post(`/api/email-lists/${list.id}/subscribers`)
      .send({ email: address(), name: 'Old' })
      .expect(201);
    await rows(app.em(), 'update subscriptions set confirmed = true, confirmed_at = now() where id = ?', [contact.id]);
    const path = `/api/email-lists/${list.id}/subscribers/${contact.id}`;
    const { body: renamed } = await ann.agent.patch(path).send({ name: '' }).expect(200);
    expect(renamed).toMatchObject({ name: null, confirmed: true });
    const { body: moved } = await ann.agent.patch(path).send({ email: address() }).expect(200);
    expect(moved.confirmed).toBe(false);
    await bob.agent.patch(path).send({ name: 'Mine' }).expect(404);
    await ann.agent.delete(path).expect(204);
    await ann.agent.delete(path).expect(404);
  });

  it('appear exactly once over all pages in every order, search and filter; the counters equal a count', async () => {
    const list = await newList(ann);
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, name, subscription_type, unsubscribe_token, email_list_id, confirmed, suppressed, created_at)
       select 'C' || n || '@x.example', 'c' || n || '@x.example', sha256(('c' || n || '@x.example')::bytea), case when n % 3 = 0 then null else 'Name ' || n % 7 end,
              'job-posts', md5(random()::text || n) || n, ?, n % 2 = 0, case when n % 10 = 9 then 'unsubscribed' when n % 10 = 8 then 'bounced' end,
              '2026-01-01'::timestamptz + (n / 5) * interval '1 microsecond'
       from generate_series(1, 97) n`,
      [list.id],
    );
    const [counts] = await rows<{ shown: number; confirmed: number; left: number }>(
      app.em(),
      `select (count(*) filter (where suppressed is null or suppressed = 'bounced'))::int as shown,
              (count(*) filter (where confirmed and (suppressed is null or suppressed = 'bounced')))::int as confirmed,
              (count(*) filter (where suppressed = 'unsubscribed'))::int as left from subscriptions where email_list_id = ?`,
      [list.id],
    );
    const path = `/api/email-lists/${list.id}/subscribers`;
    for (const sort of ['email', '-email', 'createdAt', '-createdAt', 'name', '-name']) {
      const seen: string[] = [];
      let last = '';
      for (let url: string | undefined = `${path}?limit=10&sort=${sort}`; url;) {
        const answer = await ann.agent.get(url).expect(200);
        expect(answer.headers['x-total-count']).toBe(String(counts!.shown));
        seen.push(...answer.body.map((contact: { id: string }) => contact.id));
        last = answer.headers['link'] ?? '';
        url = /<([^>]+)>; rel="next"/.exec(last)?.[1];
      }
      expect(seen).toHaveLength(counts!.shown);
      expect(new Set(seen).size).toBe(counts!.shown);
      const back = await ann.agent.get(/<([^>]+)>; rel="prev"/.exec(last)![1]!).expect(200);
      const lastSize = seen.length % 10 || 10;
      expect(back.body.map((contact: { id: string }) => contact.id)).toEqual(seen.slice(-lastSize - 10, -lastSize));
    }
    const total = async (query: string) => {
      const answer = await ann.agent.get(`${path}?limit=1000&${query}`).expect(200);
      expect(answer.body).toHaveLength(Number(answer.headers['x-total-count']));
      return answer.body.length as number;
    };
    expect(await total('status=confirmed')).toBe(counts!.confirmed);
    expect(await total('status=pending')).toBe(counts!.shown - counts!.confirmed);
    expect(await total('status=unsubscribed')).toBe(counts!.left);
    expect(await total('search=C5')).toBeGreaterThan(5);
    expect(await total('search=%25')).toBe(0);
    expect(await total(`search=${encodeURIComponent("a'b\\_?")}`)).toBe(0);
    const { body: all } = await ann.agent.get(path).expect(200);
    expect(all).toHaveLength(counts!.shown);
    const csv = await ann.agent.get(`${path}/export`).expect(200);
    expect(csv.text.trim().split('\r\n')).toHaveLength(counts!.shown + 1);
  });

  it('have correct counters after random changes', async () => {
    const list = await newList(ann);
    const other = await newList(ann);
    const insert = (id: string) =>
      rows(
        app.em(),
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, confirmed)
        select e, e, sha256(e::bytea), 'job-posts', gen_random_uuid()::text, ?, random() < 0.5 from (select gen_random_uuid()::text || '@r.example' as e from generate_series(1, (random() * 20)::int)) s`,
        [id],
      );
    const some = 'id in (select id from subscriptions where email_list_id in (?, ?) order by random() limit 7)';
    for (let n = 0; n < 40; n += 1) {
      await insert(n % 2 ? list.id : other.id);
      const sql = [
        `update subscriptions set confirmed = not confirmed where ${some}`,
        `update subscriptions set suppressed = (array[null, 'bounced', 'unsubscribed', 'complained'])[1 + floor(random() * 4)::int] where ${some}`,
        `delete from subscriptions where ${some}`,
      ][n % 3]!;
      await rows(app.em(), sql, [list.id, other.id]);
    }
    const wrong = await rows(
      app.em(),
      `select l.id from email_lists l left join lateral (
         select count(*)::int as contacts, (count(*) filter (where confirmed))::int as confirmed from subscriptions c where c.email_list_id = l.id and (c.suppressed is null or c.suppressed = 'bounced')
       ) c on true where l.contact_count <> c.contacts or l.confirmed_count <> c.confirmed`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('a search over all lists', () => {
  const find = async (user: SignedUp, search: string) =>
    (
      (await user.agent.get('/api/email-lists/contacts').query({ search }).expect(200)).body as {
        email: string;
        listName: string;
      }[]
    ).map(({ email, listName }) => `${email} on ${listName}`);

  it('finds at most six contacts of own lists by a part of the address', async () => {
    const [carl, dora] = [await app.user(), await app.user()];
    const [java, net, hers] = [
      await newList(carl, { name: 'Java' }),
      await newList(carl, { name: '.NET' }),
      await newList(dora, { name: 'Hers' }),
    ];
    const add = (user: SignedUp, list: { id: string }, email: string) =>
      user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email }).expect(201);
    await add(carl, java, 'Zoe@needle.example');
    await add(carl, net, 'amy@needle.example');
    await add(carl, net, 'other@hay.example');
    await add(dora, hers, 'bob@needle.example');
    expect(await find(carl, ' NEEDLE ')).toEqual(['amy@needle.example on .NET', 'Zoe@needle.example on Java']);
    expect(await find(carl, '%')).toEqual([]);
    expect(await find(await app.user(), 'needle')).toEqual([]);
    for (let i = 0; i < 6; i += 1) await add(carl, java, `many${i}@needle.example`);
    expect(await find(carl, 'needle')).toHaveLength(6);
    await carl.agent.get('/api/email-lists/contacts').expect(400);
    await app.http().get('/api/email-lists/contacts?search=needle').expect(401);
  });
});
