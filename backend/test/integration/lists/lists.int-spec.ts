import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { BulkActions } from '../../../src/modules/contacts/bulk/bulk-actions.service.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
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
  const { body: list } = await user.agent
    .post('/api/email-lists')
    .send({ name: 'Java vendors', ...body })
    .expect(201);
  return list;
}

async function defaultList(): Promise<string> {
  const { body } = await admin.agent.get('/api/email-lists').expect(200);
  return body.find((list: { isDefault: boolean }) => list.isDefault).id;
}

describe('lists', () => {
  it('are created, read, changed and deleted; the slug stays', async () => {
    const list = await newList(ann, { name: '  Java vendors, East Coast ', description: '', agencyName: null });
    expect(list).toMatchObject({
      name: 'Java vendors, East Coast',
      description: null,
      agencyName: null,
      contactCount: 0,
      isDefault: false,
    });
    expect(list.slug).toMatch(/^java-vendors-east-coast-[a-z0-9]{10}$/);
    const { body: changed } = await ann.agent
      .patch(`/api/email-lists/${list.id}`)
      .send({ name: 'Renamed', description: 'Why' })
      .expect(200);
    expect(changed).toMatchObject({ name: 'Renamed', description: 'Why', slug: list.slug });
    const { body: cleared } = await ann.agent
      .patch(`/api/email-lists/${list.id}`)
      .send({ description: '' })
      .expect(200);
    expect(cleared).toMatchObject({ name: 'Renamed', description: null });
    await ann.agent.patch(`/api/email-lists/${list.id}`).send({ name: ' ' }).expect(400);
    await ann.agent.delete(`/api/email-lists/${list.id}`).expect(204);
    await ann.agent.delete(`/api/email-lists/${list.id}`).expect(404);
  });

  it('refuses unknown fields and odd logos', async () => {
    for (const bad of [
      { ownerId: bob.id },
      { isDefault: true },
      { slug: 'mine' },
      { name: '' },
      { agencyLogo: 'javascript:alert(1)' },
      { agencyLogo: 'http://a.example/x.png' },
      { description: 'x'.repeat(2001) },
    ]) {
      await ann.agent
        .post('/api/email-lists')
        .send({ name: 'x', ...bad })
        .expect(400);
    }
    await newList(ann, { agencyLogo: 'https://logo.example/a.png' });
  });

  it('of other users get the same 404 as missing and malformed ones', async () => {
    const list = await newList(ann);
    const bodies = [];
    for (const id of [list.id, unknown, '1 or 1=1', 'x'.repeat(500)]) {
      const path = `/api/email-lists/${encodeURIComponent(id)}`;
      for (const call of [
        bob.agent.get(path),
        bob.agent.patch(path).send({ name: 'Mine' }),
        bob.agent.delete(path),
        bob.agent.get(`${path}/subscribers`),
        bob.agent.post(`${path}/subscribers`).send({ email: address() }),
      ]) {
        const answer = await call;
        expect(answer.status).toBe(404);
        bodies.push(answer.body.code);
      }
    }
    expect(new Set(bodies)).toEqual(new Set(['not_found']));
    await app.http().get('/api/email-lists').expect(401);
  });

  it('include the default list, for sending for everyone and for managing for admins only', async () => {
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

  it('are paged with cursors and searched by name', async () => {
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

  it('have a public page with details of the owner', async () => {
    const list = await newList(ann);
    const { body } = await app.http().get(`/api/email-lists/slug/${list.slug}`).expect(200);
    expect(body).toEqual({
      id: list.id,
      slug: list.slug,
      name: list.name,
      description: null,
      agencyName: 'Acme Staffing',
      agencyLogo: null,
      ownerName: 'Ann Kumar',
      subscriptionType: 'job-posts',
    });
    await app.http().get('/api/email-lists/slug/none').expect(404);
  });
});

describe('plan limits', () => {
  it('apply to Free, also for concurrent calls', async () => {
    const tight = await startApp({ beside: app, env: { FREE_LIST_LIMIT: '2', FREE_CONTACT_LIMIT: '3' } });
    try {
      const dan = await tight.user();
      const made = await Promise.all(
        Array.from({ length: 4 }, (_, n) => dan.agent.post('/api/email-lists').send({ name: `L${n}` })),
      );
      expect(made.map((answer) => answer.status).sort()).toEqual([201, 201, 403, 403]);
      expect(made.find((answer) => answer.status === 403)!.body.code).toBe('plan_limit');
      const id = made.find((answer) => answer.status === 201)!.body.id;
      const added = await Promise.all(
        Array.from({ length: 5 }, () =>
          dan.agent.post(`/api/email-lists/${id}/subscribers`).send({ email: address() }),
        ),
      );
      expect(added.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 403, 403]);

      const eve = await tight.user();
      const { id: list } = (await eve.agent.post('/api/email-lists').send({ name: 'Java' }).expect(201)).body;
      const people: string[] = [];
      for (const listIds of [[list], [], [], [], []])
        people.push((await eve.agent.post('/api/contacts').send({ email: address(), listIds }).expect(201)).body.id);
      const refused = await inTransaction(tight.em(), (em) =>
        tight.get(BulkActions).apply(em, eve.id, 'addToList', { listId: list }, people),
      );
      expect([...refused.values()].sort()).toEqual(['exists', 'plan_limit', 'plan_limit']);
      expect((await eve.agent.get(`/api/contacts?list=${list}`).expect(200)).body).toHaveLength(3);
    } finally {
      await tight.close();
    }
  });
});

describe('the figures of a list', () => {
  interface Figures {
    confirmed: number;
    pending: number;
    bounced: number;
    days: { date: string; contacts: number; added: number; unsubscribed: number }[];
  }
  const figuresOf = async (user: SignedUp, id: string) =>
    (await user.agent.get(`/api/email-lists/${id}/figures`).expect(200)).body as Figures;

  it("count its contacts, and its growth by days of the owner's time zone", async () => {
    const owner = await app.user({ set: { time_zone: 'Pacific/Auckland' } });
    const list = await newList(owner);
    const days = (n: number) =>
      `((now() at time zone 'Pacific/Auckland')::date - ${n} + time '00:30') at time zone 'Pacific/Auckland'`;
    const add = (count: number, came: string, columns = '', values = '') =>
      rows(
        app.em(),
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, created_at${columns})
       select a.e, a.e, sha256(a.e::bytea), 'job-posts', a.e, ?, ${came}${values} from (select gen_random_uuid() || '@x.test' as e from generate_series(1, ${count})) a`,
        [list.id],
      );
    await add(5, `now() - interval '200 days'`, ', confirmed', ', true');
    await add(3, days(2));
    await add(1, days(2), ', suppressed, confirmed', `, 'bounced', true`);
    await add(2, days(1), ', suppressed, unsubscribed_at', `, 'unsubscribed', ${days(0)}`);
    await add(1, days(0), ', suppressed', `, 'unsubscribed'`);
    const { days: grown, ...standing } = await figuresOf(owner, list.id);
    expect(standing).toEqual({ confirmed: 5, pending: 3, bounced: 1 });
    expect(grown).toHaveLength(56);
    expect(grown.slice(-4).map(({ contacts, added, unsubscribed }) => [contacts, added, unsubscribed])).toEqual([
      [5, 0, 0],
      [9, 4, 0],
      [11, 2, 0],
      [9, 0, 2],
    ]);
    expect(grown[0]!.contacts).toBe(5);
    const [{ today }] = (await rows<{ today: string }>(
      app.em(),
      `select to_char(now() at time zone 'Pacific/Auckland', 'YYYY-MM-DD') as today`,
    )) as [{ today: string }];
    expect(grown.at(-1)!.date).toBe(today);
    await bob.agent.get(`/api/email-lists/${list.id}/figures`).expect(404);
  });
});
