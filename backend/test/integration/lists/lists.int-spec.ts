import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [ann, bob, admin] = await Promise.all([
    app.user({ set: { agency_name: 'Acme Staffing' } }),
    app.user({ role: 'bench-sales' }),
    app.user({ admin: true }),
  ]);
});
afterAll(() => app.close());

const unknown = '00000000-0000-4000-8000-000000000000';
const address = () => `c${randomBytes(5).toString('hex')}@vendor.example`;

async function newList(user: SignedUp, body: object = {}): Promise<{ id: string; slug: string; name: string }> {
  const { body: list } = await user.agent.post('/api/email-lists').send({ name: 'Java vendors', ...body }).expect(201);
  return list;
}

async function defaultList(): Promise<string> {
  const { body } = await admin.agent.get('/api/email-lists').expect(200);
  return body.find((list: { isDefault: boolean }) => list.isDefault).id;
}

describe('lists', () => {
  it('are made, read, changed and deleted; the slug stays', async () => {
    const list = await newList(ann, { name: '  Java vendors, East Coast ', description: '', agencyName: null });
    expect(list).toMatchObject({ name: 'Java vendors, East Coast', description: null, agencyName: null, contactCount: 0, isDefault: false });
    expect(list.slug).toMatch(/^java-vendors-east-coast-[a-z0-9]{10}$/);
    const { body: changed } = await ann.agent.patch(`/api/email-lists/${list.id}`).send({ name: 'Renamed', description: 'Why' }).expect(200);
    expect(changed).toMatchObject({ name: 'Renamed', description: 'Why', slug: list.slug });
    const { body: cleared } = await ann.agent.patch(`/api/email-lists/${list.id}`).send({ description: '' }).expect(200);
    expect(cleared).toMatchObject({ name: 'Renamed', description: null });
    await ann.agent.patch(`/api/email-lists/${list.id}`).send({ name: ' ' }).expect(400);
    await ann.agent.delete(`/api/email-lists/${list.id}`).expect(204);
    await ann.agent.delete(`/api/email-lists/${list.id}`).expect(404);
  });

  it('refuses unknown fields and odd logos', async () => {
    for (const bad of [{ ownerId: bob.id }, { isDefault: true }, { slug: 'mine' }, { name: '' }, { agencyLogo: 'javascript:alert(1)' }, { agencyLogo: 'http://a.example/x.png' }, { description: 'x'.repeat(2001) }]) {
      await ann.agent.post('/api/email-lists').send({ name: 'x', ...bad }).expect(400);
    }
    await newList(ann, { agencyLogo: 'https://logo.example/a.png' });
  });

  it('of others do not exist, nor do missing and malformed ones', async () => {
    const list = await newList(ann);
    const bodies = [];
    for (const id of [list.id, unknown, '1 or 1=1', 'x'.repeat(500)]) {
      const path = `/api/email-lists/${encodeURIComponent(id)}`;
      for (const call of [bob.agent.get(path), bob.agent.patch(path).send({ name: 'Mine' }), bob.agent.delete(path), bob.agent.get(`${path}/subscribers`), bob.agent.post(`${path}/subscribers`).send({ email: address() })]) {
        const answer = await call;
        expect(answer.status).toBe(404);
        bodies.push(answer.body.code);
      }
    }
    expect(new Set(bodies)).toEqual(new Set(['not_found']));
    await app.http().get('/api/email-lists').expect(401);
  });

  it('show the default list for sending to everyone, for managing to admins only', async () => {
    const id = await defaultList();
    const { body: plain } = await ann.agent.get('/api/email-lists').expect(200);
    expect(plain.some((list: { isDefault: boolean }) => list.isDefault)).toBe(false);
    const { body: sendable } = await ann.agent.get('/api/email-lists?sendable=true').expect(200);
    expect(sendable.some((list: { id: string }) => list.id === id)).toBe(true);
    await ann.agent.get(`/api/email-lists/${id}`).expect(404);
    await ann.agent.get(`/api/email-lists/${id}/subscribers`).expect(404);
    await ann.agent.delete(`/api/email-lists/${id}`).expect(404);
    await admin.agent.delete(`/api/email-lists/${id}`).expect(403);
    await admin.agent.get(`/api/email-lists/${id}/subscribers`).expect(200);
  });

  it('page with cursors and find by name', async () => {
    const cat = await app.user();
    for (let n = 0; n < 7; n += 1) await newList(cat, { name: `List ${n}` });
    const seen: string[] = [];
    let path = '/api/email-lists?limit=3&sort=name';
    for (;;) {
      const answer = await cat.agent.get(path).expect(200);
      expect(answer.headers['x-total-count']).toBe('7');
      seen.push(...answer.body.map((list: { name: string }) => list.name));
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
      if (!next) break;
      path = next;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `List ${n}`));
    const { body: found } = await cat.agent.get('/api/email-lists?limit=10&search=LIST%205').expect(200);
    expect(found).toHaveLength(1);
    await cat.agent.get('/api/email-lists?limit=2&cursor=nonsense').expect(400);
  });

  it('have a public side with the owner behind it', async () => {
    const list = await newList(ann);
    const { body } = await app.http().get(`/api/email-lists/slug/${list.slug}`).expect(200);
    expect(body).toEqual({ id: list.id, slug: list.slug, name: list.name, description: null, agencyName: 'Acme Staffing', agencyLogo: null, ownerName: 'Ann Kumar', subscriptionType: 'job-posts' });
    await app.http().get('/api/email-lists/slug/none').expect(404);
  });
});

describe('contacts', () => {
  it('start pending, whatever is claimed; the type follows the owner', async () => {
    const list = await newList(bob);
    const email = 'Sam.Vendor@Bücher.example';
    const { body } = await bob.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: ` ${email} `, name: 'Sam' }).expect(201);
    expect(body).toEqual({ id: expect.any(String), email: 'Sam.Vendor@xn--bcher-kva.example', name: 'Sam', subscriptionType: 'candidate-lists', confirmed: false, suppressed: null, createdAt: expect.any(String) });
    const again = await bob.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 'sam.vendor@BÜCHER.example' }).expect(409);
    expect(again.body.code).toBe('contact_exists');
    for (const bad of [{ email: 'x' }, { email: 'a@x.example, b@x.example' }, { email: 'ök@x.example' }, { email: 'A <a@x.example>' }, { email: 'a@x.example\r\nRCPT TO:<b@x.example>' }, { email: ['a@x.example'] }, {}]) {
      const answer = await bob.agent.post(`/api/email-lists/${list.id}/subscribers`).send(bad).expect(400);
      expect(answer.body.message).toBe('Please enter a valid email address');
    }
    await bob.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: address(), confirmed: true }).expect(400);
    const { body: after } = await bob.agent.get(`/api/email-lists/${list.id}`).expect(200);
    expect(after.contactCount).toBe(1);
  });

  it('one row per address, also when added five times at once', async () => {
    const list = await newList(ann);
    const email = address();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ann.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('change and go; a changed address is pending again', async () => {
    const list = await newList(ann);
    const { body: contact } = await ann.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: address(), name: 'Old' }).expect(201);
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

  it('are paged exactly once in every order, searched and filtered; the counters equal a count', async () => {
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
      for (let url: string | undefined = `${path}?limit=10&sort=${sort}`; url; ) {
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

  it('keeps the counters right through random changes', async () => {
    const list = await newList(ann);
    const other = await newList(ann);
    const insert = (id: string) =>
      rows(app.em(), `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, confirmed)
        select e, e, sha256(e::bytea), 'job-posts', gen_random_uuid()::text, ?, random() < 0.5 from (select gen_random_uuid()::text || '@r.example' as e from generate_series(1, (random() * 20)::int)) s`, [id]);
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

describe('plan limits', () => {
  it('hold on Free, also for calls at once', async () => {
    const tight = await startApp({ beside: app, env: { FREE_LIST_LIMIT: '2', FREE_CONTACT_LIMIT: '3' } });
    try {
      const dan = await tight.user();
      const made = await Promise.all(Array.from({ length: 4 }, (_, n) => dan.agent.post('/api/email-lists').send({ name: `L${n}` })));
      expect(made.map((answer) => answer.status).sort()).toEqual([201, 201, 403, 403]);
      expect(made.find((answer) => answer.status === 403)!.body.code).toBe('plan_limit');
      const id = made.find((answer) => answer.status === 201)!.body.id;
      const added = await Promise.all(Array.from({ length: 5 }, () => dan.agent.post(`/api/email-lists/${id}/subscribers`).send({ email: address() })));
      expect(added.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 403, 403]);
    } finally {
      await tight.close();
    }
  });
});
