import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { filterOf, newContact, newField, newList, newTag, sqlOf, texas } from './support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

const save = async (name: string, filter: object = texas, user = ann) =>
  (await user.agent.post('/api/segments').send({ name, filter }).expect(201)).body as { id: string; version: number };
const count = async (body: object, user = ann) =>
  (await user.agent.post('/api/segments/count').send(body).expect(200)).body;
const found = async (segment: string, user = ann) =>
  ((await user.agent.get(`/api/contacts?limit=99&segment=${segment}`).expect(200)).body as { email: string }[])
    .map(({ email }) => email)
    .sort();

describe('a segment', () => {
  it('is saved, counted, changed and deleted; its members are those at the moment of use', async () => {
    const { id, version } = await save('Texas');
    expect(await count({ segmentId: id })).toMatchObject({ count: 0, mailable: 0, approximate: false, sample: [] });
    const one = await newContact(ann, { region: 'TX', listIds: [await newList(ann, 'L')] });
    await newContact(ann, { region: 'OK' });
    await newContact(bob, { region: 'TX' });
    await sql(`update subscriptions set confirmed = true, confirmed_at = now() where profile_id = ?`, [one.id]);
    expect(await count({ filter: texas })).toMatchObject({
      count: 1,
      mailable: 1,
      approximate: false,
      sample: [{ id: one.id, email: one.email }],
    });
    expect(await count({ segmentId: id, exact: true })).toMatchObject({ count: 1 });
    expect(await found(id)).toEqual([one.email]);
    const { body: stored } = await ann.agent.get(`/api/segments/${id}`).expect(200);
    expect(stored).toMatchObject({
      name: 'Texas',
      filter: texas,
      labels: { region: 'State or region' },
      broken: null,
      lastCount: 1,
      version,
    });
    expect(stored.countedAt).not.toBeNull();

    const oklahoma = filterOf({ field: 'region', operator: 'is', value: 'OK' });
    const { body: changed } = await ann.agent
      .patch(`/api/segments/${id}`)
      .send({ name: 'Oklahoma', filter: oklahoma, version })
      .expect(200);
    expect(changed).toMatchObject({ name: 'Oklahoma', version: version + 1, lastCount: null, countedAt: null });
    await ann.agent
      .patch(`/api/segments/${id}`)
      .send({ name: 'x', version })
      .expect(409)
      .expect(({ body }) => expect(body.code).toBe('segment_changed'));
    const { body: all, headers } = await ann.agent.get('/api/segments?limit=10&search=OKLA').expect(200);
    expect(all).toHaveLength(1);
    expect(headers['x-total-count']).toBe('1');
    await ann.agent
      .post('/api/segments')
      .send({ name: 'OKLAHOMA', filter: texas })
      .expect(409)
      .expect(({ body }) => expect(body.code).toBe('segment_exists'));
    await ann.agent.delete(`/api/segments/${id}`).expect(204);
    await ann.agent.delete(`/api/segments/${id}`).expect(404);
  });

  it('offers the terms of the account, with its fields, tags and lists', async () => {
    const cid = await app.user();
    const tag = await newTag(cid, 'Java');
    const list = await newList(cid, 'Vendors');
    await newField(cid, { key: 'tier', label: 'Tier', type: 'choice', options: ['A'] });
    const { body } = await cid.agent.get('/api/segments/terms').expect(200);
    const term = (field: string) => (body as { field: string }[]).find((one) => one.field === field);
    expect(term('tags')).toMatchObject({ label: 'Tags', options: [{ value: String(tag), label: 'Java' }] });
    expect(term('list')).toMatchObject({
      options: [{ value: list, label: 'Vendors' }],
      operators: [{ name: 'anyOf', value: 'listed' }, { name: 'noneOf' }],
    });
    expect(term('field.tier')).toMatchObject({
      label: 'Tier',
      group: 'Your fields',
      options: [{ value: 'A', label: 'A' }],
    });
    expect(term('mailed')).toBeDefined();
    expect(term('sent')).toBeDefined();
    expect((await bob.agent.get('/api/segments/terms')).text).not.toContain('Tier');
  });

  it('of another account, or with an invalid id, is not found', async () => {
    const { id } = await save('Bob’s', texas, bob);
    for (const bad of [id, 'x', '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11']) {
      await ann.agent.get(`/api/segments/${bad}`).expect(404);
      await ann.agent.patch(`/api/segments/${bad}`).send({ name: 'x' }).expect(404);
      await ann.agent.delete(`/api/segments/${bad}`).expect(404);
      await ann.agent.get(`/api/segments/${bad}/export`).expect(404);
    }
    await ann.agent.post('/api/segments/count').send({ segmentId: id }).expect(404);
    await ann.agent.get(`/api/contacts?limit=1&segment=${id}`).expect(404);
    await ann.agent.post('/api/contacts/bulk').send({ segmentId: id, action: 'delete' }).expect(404);
  });

  it('that names something deleted reports that, and is refused instead of finding nobody or everybody', async () => {
    const tag = await newTag(ann, 'VIP');
    const list = await newList(ann, 'Old vendors');
    const field = await newField(ann, { key: 'grade', label: 'Grade', type: 'number' });
    const cases = [
      [
        await save('By tag', filterOf({ field: 'tags', operator: 'noneOf', value: [String(tag)] })),
        `/api/contact-tags/${tag}`,
        'the tag "VIP"',
      ],
      [
        await save('By list', filterOf({ field: 'list', operator: 'noneOf', value: { values: [list], state: 'any' } })),
        `/api/email-lists/${list}`,
        'the list "Old vendors"',
      ],
      [
        await save('By field', filterOf({ field: 'field.grade', operator: 'isEmpty' })),
        `/api/contact-fields/${field.id}`,
        'the field "Grade"',
      ],
    ] as const;
    for (const [{ id }, path, what] of cases) {
      await ann.agent.delete(path).expect(({ status }) => expect([200, 204]).toContain(status));
      const reason = `This segment uses ${what}, which no longer exists.`;
      expect((await ann.agent.get(`/api/segments/${id}`)).body.broken).toBe(reason);
      for (const call of [
        ann.agent.post('/api/segments/count').send({ segmentId: id }),
        ann.agent.get(`/api/contacts?limit=1&segment=${id}`),
        ann.agent.get(`/api/segments/${id}/export`),
        ann.agent.post('/api/contacts/bulk').send({ segmentId: id, action: 'delete' }),
      ]) {
        const { status, body } = await call;
        expect([status, body.code, body.message]).toEqual([409, 'segment_broken', reason]);
      }
    }
    const typed = await newField(ann, { key: 'score', label: 'Score', type: 'number' });
    const { id } = await save('By score', filterOf({ field: 'field.score', operator: 'gt', value: 3 }));
    await ann.agent.patch(`/api/contact-fields/${typed.id}`).send({ type: 'text' }).expect(200);
    expect((await ann.agent.get(`/api/segments/${id}`)).body.broken).toMatch(/no longer fits/);
  });

  it('is refused with 409 preparing while contacts are being prepared', async () => {
    const cid = await app.user();
    const { id } = await save('Texas', texas, cid);
    await sql(
      `insert into contact_preparations (owner_id, total, finished_at) values (?, 9, null) on conflict (owner_id) do update set finished_at = null`,
      [cid.id],
    );
    for (const call of [
      cid.agent.post('/api/segments/count').send({ filter: texas }),
      cid.agent.get(`/api/contacts?limit=1&segment=${id}`),
    ])
      await call.expect(409).expect(({ body }) => expect(body.code).toBe('preparing'));
  });

  it('is exported with all details, and changed as a whole', async () => {
    const cid = await app.user();
    const list = await newList(cid, 'L');
    await newField(cid, { key: 'tier', label: 'Tier', type: 'choice', options: ['A', 'B'] });
    const tag = await newTag(cid, 'Java');
    const person = await newContact(cid, {
      region: 'TX',
      firstName: '=cmd()',
      fields: { tier: 'B' },
      tags: [tag],
      listIds: [list],
    });
    await newContact(cid, { region: 'OK' });
    const { id } = await save('Texas', texas, cid);
    const { text, headers } = await cid.agent.get(`/api/segments/${id}/export`).expect(200);
    expect(headers['content-type']).toMatch(/text\/csv/);
    const [header, line, end] = text.split('\r\n');
    expect(header).toMatch(/^email,first name,.*,tags,consent,last mailed,added,Tier$/);
    expect(line).toMatch(new RegExp(`^${person.email},"'=cmd\\(\\)",.*,Java,pending,,.*,B$`));
    expect(end).toBe('');

    const { jobId } = (
      await cid.agent
        .post('/api/contacts/bulk')
        .send({ segmentId: id, action: 'setField', field: 'region', value: 'CA' })
        .expect(202)
    ).body;
    await until(async () => (await cid.agent.get(`/api/contacts/bulk/${jobId}`)).body.status === 'done');
    expect(await found(id, cid)).toEqual([]);
    await cid.agent
      .post('/api/contacts/bulk')
      .send({ segmentId: id, ids: [person.id], action: 'delete' })
      .expect(400);
  });

  it('cannot be deleted while a bulk change of its people runs', async () => {
    const { id } = await save('Busy');
    await sql(
      `insert into contact_bulk_jobs (owner_id, action, selection, status, lease_until, params) values (?, 'addTags', ?::jsonb, 'running', now() + interval '1 hour', '{"tags": []}')`,
      [ann.id, JSON.stringify({ filter: { segment: id } })],
    );
    const { status, body } = await ann.agent.delete(`/api/segments/${id}`);
    // The runner may have ended the job meanwhile.
    expect(status === 204 || body.code === 'in_use').toBe(true);
    await until(async () => [204, 404].includes((await ann.agent.delete(`/api/segments/${id}`)).status));
  });

  it('is limited on Free: new ones are refused, existing ones stay usable', async () => {
    const tight = await startApp({ beside: app, env: { FREE_SEGMENT_LIMIT: '1' } });
    try {
      const dan = await tight.user();
      const { id } = await save('One', texas, dan);
      const { body } = await dan.agent.post('/api/segments').send({ name: 'Two', filter: texas }).expect(403);
      expect(body).toMatchObject({ code: 'plan_limit', message: 'Your plan holds 1 segment.' });
      expect(await count({ segmentId: id }, dan)).toMatchObject({ count: 0 });
      await rows(
        app.em(),
        `insert into segments (owner_id, name, filter) select ?, 's' || n, '{}' from generate_series(1, 499) n`,
        [ann.id],
      );
      await ann.agent
        .post('/api/segments')
        .send({ name: 'Too many', filter: texas })
        .expect(409)
        .expect(({ body: error }) => expect(error.code).toBe('limit_reached'));
    } finally {
      await tight.close();
    }
  });
});
