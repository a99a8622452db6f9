import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { BulkActions } from '../../../src/modules/contacts/bulk/bulk-actions.service.js';
import { BulkRunner } from '../../../src/modules/contacts/bulk/bulk-runner.js';
import { ProfileReader } from '../../../src/modules/contacts/profiles/profile-reader.service.js';
import { ExportParts } from '../../../src/shared/personal-data.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { address, filterOf, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let other: TestApp;
let ann: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  ({ app, other } = await startPair());
  ann = await app.user();
});
afterAll(() => closeAll(other, app));

const start = async (body: object, user = ann) =>
  (await user.agent.post('/api/contacts/bulk').send(body).expect(202)).body.jobId as string;
async function ended(jobId: string, user = ann) {
  let job: { status: string; total: number; done: number; refused: { id: string; reason: string }[] } | undefined;
  await until(async () => {
    job = (await user.agent.get(`/api/contacts/bulk/${jobId}`).expect(200)).body;
    return job!.status === 'done' || job!.status === 'failed';
  });
  return job!;
}
/** The people of the account's data export, with quotation marks as in the values. */
async function exportedPeople(user: SignedUp): Promise<string> {
  const people = app
    .get(ExportParts)
    .filesOf(user.id)
    .find(({ file }) => file === 'people.csv')!;
  const texts: string[] = [];
  for await (const text of people.text()) texts.push(text);
  return texts.join('').replaceAll('""', '"');
}
const newTag = async (name: string, user = ann) =>
  (await user.agent.post('/api/contact-tags').send({ name }).expect(201)).body.id as number;

describe('a change of many contacts', () => {
  it('adds and removes tags, sets fields, adds to and removes from a list, and deletes; each contact that is not changed has a reason', async () => {
    const tag = await newTag('Java');
    const list = await newList(ann);
    const [one, two, gone] = [await newContact(ann), await newContact(ann, { listIds: [list] }), await newContact(ann)];
    await sql(
      `insert into suppressions (scope, owner_id, reason, address_hash) values ('owner', ?, 'unsubscribed', sha256(?::bytea))`,
      [ann.id, gone.email],
    );
    const ids = [one.id, two.id, gone.id] as string[];
    expect(await ended(await start({ ids, action: 'addTags', tags: [tag] }))).toMatchObject({
      status: 'done',
      total: 3,
      done: 3,
      refused: [],
    });
    expect((await ann.agent.get(`/api/contacts?limit=9&tag=${tag}`)).body).toHaveLength(3);
    const added = await ended(await start({ ids, action: 'addToList', listId: list }));
    expect(added.refused.sort((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual([
      { id: two.id, reason: 'exists' },
      { id: gone.id, reason: 'suppressed' },
    ]);
    expect((await ann.agent.get(`/api/contacts/${one.id}`)).body.lists).toMatchObject([
      { id: list, status: 'pending' },
    ]);
    await ended(await start({ filter: { list }, action: 'setField', field: 'company', value: 'Acme' }));
    expect((await ann.agent.get('/api/contacts?limit=9&search=acme')).body).toHaveLength(2);
    await ended(await start({ filter: { list }, action: 'removeFromList', listId: list }));
    expect((await ann.agent.get(`/api/contacts?limit=9&list=${list}`)).body).toEqual([]);
    await ended(await start({ ids: [one.id], action: 'removeTags', tags: [tag] }));
    await ended(await start({ filter: { tag }, action: 'delete' }));
    const left = (await ann.agent.get('/api/contacts?limit=9').expect(200)).body as { id: string }[];
    expect(left.map(({ id }) => id)).toEqual([one.id]);
    const { body: tasks } = await ann.agent.get('/api/running-tasks').expect(200);
    expect(tasks.bulk).toHaveLength(6);
  });

  it("is refused where the request is incomplete or names another account's contacts, lists, tags or jobs", async () => {
    const bob = await app.user();
    const mine = await newContact(ann);
    const [theirs, tag, list] = [await newContact(bob), await newTag('Bob', bob), await newList(bob)];
    const send = (body: object) => ann.agent.post('/api/contacts/bulk').send(body);
    const ids = [mine.id];
    for (const bad of [
      { ids, action: 'addTags' },
      { ids, action: 'x' },
      { action: 'delete' },
      { ids, filter: {}, action: 'delete' },
      { ids: [], action: 'delete' },
      { ids: Array(1001).fill(mine.id), action: 'delete' },
      { ids, action: 'setField', field: '__proto__', value: 1 },
      { ids, action: 'setField', field: 'company', value: 'x'.repeat(1001) },
      { filter: { nobody: 1 }, action: 'delete' },
    ])
      expect([bad.action, (await send(bad)).status]).toEqual([bad.action, 400]);
    for (const foreign of [
      { ids: [theirs.id], action: 'delete' },
      { ids: ['x'], action: 'delete' },
      { ids, action: 'addTags', tags: [tag] },
      { ids, action: 'addToList', listId: list },
      { filter: { list }, action: 'delete' },
      { filter: { tag }, action: 'delete' },
    ])
      expect([foreign, (await send(foreign)).status]).toEqual([foreign, 404]);
    const jobId = await start({ ids: [theirs.id], action: 'delete' }, bob);
    await ann.agent.get(`/api/contacts/bulk/${jobId}`).expect(404);
    await ended(jobId, bob);
  });

  it('changes each of 20,000 contacts once, with several workers, some of which die', async () => {
    const cid = await app.user();
    const tag = await newTag('All', cid);
    await sql(
      `insert into contact_profiles (owner_id, email, email_norm, email_hash, source, tag_ids)
       select ?, e, e, sha256(e::bytea), 'owner', case when n % 1000 = 0 then (select array_agg(t) from generate_series(1, 50) t) else '{}' end
       from (select n, n || ? as e from generate_series(1, 20000) n) x`,
      [cid.id, address()],
    );
    const runner = (of: TestApp, die = 0) => {
      const actions = of.get(BulkActions);
      let left = die;
      const dying = Object.assign(Object.create(actions) as BulkActions, {
        apply: async (...args: Parameters<BulkActions['apply']>) => {
          const refused = await actions.apply(...args);
          if (left-- > 0) throw new Error('killed before its commit');
          return refused;
        },
      });
      return new BulkRunner(of.get(EntityManager), of.get(ProfileReader), dying, of.get(JobQueue));
    };
    await sql(
      `insert into contact_bulk_jobs (owner_id, action, params, selection) values (?, 'addTags', jsonb_build_object('tags', array[?::int]), '{"filter": {}}')`,
      [cid.id, tag],
    );
    const drain = async (one: BulkRunner) => {
      while (await one.batch());
    };
    await Promise.all([drain(runner(app, 2)), drain(runner(other)), drain(runner(app))]);
    const [job] = await sql<{ id: string }>(`select id from contact_bulk_jobs where owner_id = ?`, [cid.id]);
    const done = await ended(job!.id, cid);
    expect(done).toMatchObject({ status: 'done', total: 20_000, done: 20_000 });
    expect(done.refused).toHaveLength(20);
    expect(new Set(done.refused.map(({ reason }) => reason))).toEqual(new Set(['too_many_tags']));
    expect(
      await sql(
        `select count(*)::int as n, max(cardinality(tag_ids)) as most from contact_profiles where owner_id = ? and tag_ids @> array[?::int]`,
        [cid.id, tag],
      ),
    ).toEqual([{ n: 19_980, most: 1 }]);
  });
});

it('removes a deleted tag, and the values of a deleted field, from many contacts: hidden at once, the key is free afterwards', async () => {
  const eli = await app.user();
  const tag = await newTag('Fair', eli);
  const field = { label: 'Badge', key: 'badge', type: 'number' };
  const { id: fieldId } = (await eli.agent.post('/api/contact-fields').send(field).expect(201)).body;
  await sql(
    `insert into contact_profiles (owner_id, email, email_norm, email_hash, source, tag_ids, fields)
     select ?, e, e, sha256(e::bytea), 'owner', array[?::int], '{"badge": 7}' from (select n || ? as e from generate_series(1, 4500) n) x`,
    [eli.id, tag, address()],
  );
  const shown = async () => ((await eli.agent.get('/api/contacts?limit=1').expect(200)).body as object[])[0];
  const jobs = async () =>
    (await eli.agent.get('/api/running-tasks').expect(200)).body.bulk as { id: string; action: string }[];
  await app.em().transactional(async (em) => {
    // The jobs wait for one of the contacts.
    await em.execute(`select id from contact_profiles where owner_id = ? for update`, [eli.id]);
    await eli.agent.delete(`/api/contact-tags/${tag}`).expect(204);
    await eli.agent.delete(`/api/contact-fields/${fieldId}`).expect(204);
    expect(await shown()).toMatchObject({ tags: [], fields: {} });
    const people = await exportedPeople(eli);
    expect([people.includes(',{},'), people.includes('badge')]).toEqual([true, false]);
    const again = await eli.agent.post('/api/contact-fields').send(field).expect(409);
    expect(again.body.code).toBe('contacts_busy');
  });
  const found = await jobs();
  expect(found.map(({ action }) => action).sort()).toEqual(['forgetField', 'forgetTag']);
  for (const { id } of found) expect(await ended(id, eli)).toMatchObject({ status: 'done', total: 4_500, done: 4_500 });
  expect(
    await sql(`select 1 from contact_profiles where owner_id = ? and (tag_ids <> '{}' or fields <> '{}') limit 1`, [
      eli.id,
    ]),
  ).toEqual([]);
  await eli.agent.post('/api/contact-fields').send(field).expect(201);
});

it('makes a field a text that many contacts have a value of: shown and found as text at once, rewritten by a worker', async () => {
  const fay = await app.user();
  const added = async (body: object) =>
    (await fay.agent.post('/api/contact-fields').send(body).expect(201)).body.id as string;
  const rate = await added({ label: 'Rate', key: 'rate', type: 'number' });
  const terms = await added({ label: 'Terms', key: 'terms', type: 'choices', options: ['C2C', 'W2'] });
  const remote = await added({ label: 'Remote', key: 'remote', type: 'yes_no' });
  await sql(
    `insert into contact_profiles (owner_id, email, email_norm, email_hash, source, fields)
     select ?, e, e, sha256(e::bytea), 'owner', '{"rate": 80.5, "terms": ["C2C", "W2"], "remote": false, "other": 1}' from (select n || ? as e from generate_series(1, 2500) n) x`,
    [fay.id, address()],
  );
  const texts = { rate: '80.5', terms: 'C2C, W2', remote: 'no', other: 1 };
  const count = async (field: string, value: string) =>
    (
      await fay.agent
        .post('/api/segments/count')
        .send({ filter: { combinator: 'and', rules: [{ field: `field.${field}`, operator: 'is', value }] } })
        .expect(200)
    ).body.count as number;
  const told = async () => {
    const [shown] = (await fay.agent.get('/api/contacts?limit=1').expect(200)).body as { fields: object }[];
    expect(shown!.fields).toEqual(texts);
    const people = await exportedPeople(fay);
    for (const value of ['"rate": "80.5"', '"terms": "C2C, W2"', '"remote": "no"', '"other": 1'])
      expect(people).toContain(value);
    const filter = filterOf({ field: 'field.remote', operator: 'is', value: 'no' });
    const name = `Onsite ${randomUUID()}`;
    const { body: segment } = await fay.agent.post('/api/segments').send({ name, filter }).expect(201);
    const { text: csv } = await fay.agent.get(`/api/segments/${segment.id}/export`).expect(200);
    expect(csv.split('\r\n')[1]).toMatch(/,80\.5,"C2C, W2",no$/);
    expect([await count('rate', '80.5'), await count('terms', 'c2c, w2'), await count('remote', 'no')]).toEqual([
      2_500, 2_500, 2_500,
    ]);
  };
  await app.em().transactional(async (em) => {
    // The jobs wait for one of the contacts.
    await em.execute(`select id from contact_profiles where owner_id = ? for update`, [fay.id]);
    for (const id of [rate, terms, remote]) {
      const { body } = await fay.agent.patch(`/api/contact-fields/${id}`).send({ type: 'text' }).expect(200);
      expect(body).toMatchObject({ type: 'text', options: [] });
    }
    await told();
  });
  const { bulk } = (await fay.agent.get('/api/running-tasks').expect(200)).body as {
    bulk: { id: string; action: string }[];
  };
  expect(bulk.map(({ action }) => action)).toEqual(['fieldToText', 'fieldToText', 'fieldToText']);
  for (const { id } of bulk) expect(await ended(id, fay)).toMatchObject({ status: 'done', total: 2_500, done: 2_500 });
  expect(await sql(`select distinct fields from contact_profiles where owner_id = ?`, [fay.id])).toEqual([
    { fields: texts },
  ]);
  await told();
});

it('rewrites the values of a field that became a text after a worker of an earlier version gave up', async () => {
  const hal = await app.user();
  await hal.agent.post('/api/contact-fields').send({ label: 'Rate', key: 'rate', type: 'text' }).expect(201);
  const { id } = await newContact(hal);
  await sql(`update contact_profiles set fields = '{"rate": 80}' where id = ? returning id`, [id]);
  const [job] = await sql<{ id: string }>(
    `insert into contact_bulk_jobs (owner_id, action, params, selection, status, attempts, finished_at)
     values (?, 'fieldToText', '{"field": "rate"}', '{}', 'failed', 5, now()) returning id`,
    [hal.id],
  );
  await app.get(BulkRunner).sweep();
  await until(
    async () => (await sql(`select 1 from contact_bulk_jobs where id = ? and status = 'done'`, [job!.id]))[0],
  );
  expect(await sql(`select fields from contact_profiles where id = ?`, [id])).toEqual([{ fields: { rate: '80' } }]);
});

it('sets a value as text in a field that became a text since the change was requested', async () => {
  const ida = await app.user();
  for (const key of ['rate', 'terms', 'gone'])
    await ida.agent.post('/api/contact-fields').send({ label: key, key, type: 'text' }).expect(201);
  const { id } = await newContact(ida, { fields: { gone: 'x' } });
  const queued = async (params: object) => {
    const [job] = await sql<{ id: string }>(
      `insert into contact_bulk_jobs (owner_id, action, params, selection) values (?, 'setField', ?::jsonb, '{"filter": {}}') returning id`,
      [ida.id, JSON.stringify(params)],
    );
    await app.get(JobQueue).enqueue('contact-bulk', {});
    expect(await ended(job!.id, ida)).toMatchObject({ status: 'done', done: 1 });
  };
  await queued({ field: 'rate', value: 80.5 });
  await queued({ field: 'terms', value: ['C2C', 'W2'] });
  await queued({ field: 'gone', value: null });
  expect(await sql(`select fields from contact_profiles where id = ?`, [id])).toEqual([
    { fields: { rate: '80.5', terms: 'C2C, W2' } },
  ]);
});

it('refuses a value of a former type that is set while its field becomes a text', async () => {
  const joe = await app.user();
  const number = { label: 'Rate', key: 'rate', type: 'number' };
  const { id: fieldId } = (await joe.agent.post('/api/contact-fields').send(number).expect(201)).body;
  const { id } = await newContact(joe);
  const setting = await app.em().transactional(async (em) => {
    // As a change of the field's type, before it commits.
    await em.execute(`select pg_advisory_xact_lock(hashtextextended('contacts.fields:' || ?::text, 0))`, [joe.id]);
    await em.execute(`update profile_fields set type = 'text' where id = ?`, [fieldId]);
    const setRate = joe.agent
      .patch(`/api/contacts/${id}`)
      .send({ fields: { rate: 80 } })
      .then(({ status }) => status);
    await until(
      'the change of the contact waits',
      async () => (await sql(`select 1 from pg_locks where not granted and locktype = 'advisory'`))[0],
    );
    return () => setRate;
  });
  expect(await setting()).toBe(400);
  expect(await sql(`select fields from contact_profiles where id = ?`, [id])).toEqual([{ fields: {} }]);
});

it('leaves the values of a field alone that was deleted and made again while it became a text', async () => {
  const gil = await app.user();
  const number = { label: 'Rate', key: 'rate', type: 'number' };
  await gil.agent.post('/api/contact-fields').send(number).expect(201);
  await newContact(gil, { fields: { rate: 80 } });
  await sql(
    `insert into contact_bulk_jobs (owner_id, action, params, selection) values (?, 'fieldToText', '{"field": "rate"}', '{}')`,
    [gil.id],
  );
  const [job] = await sql<{ id: string }>(`select id from contact_bulk_jobs where owner_id = ?`, [gil.id]);
  await app.get(JobQueue).enqueue('contact-bulk', {});
  expect(await ended(job!.id, gil)).toMatchObject({ status: 'done', done: 0 });
  expect(await sql(`select fields from contact_profiles where owner_id = ?`, [gil.id])).toEqual([
    { fields: { rate: 80 } },
  ]);
});

it('is limited to three open ones an account, and checks built-in fields like a single change', async () => {
  const dan = await app.user();
  const send = (body: object) => dan.agent.post('/api/contacts/bulk').send({ filter: {}, ...body });
  await send({ action: 'setField', field: 'company', value: 'Acme\r\nBcc: x' }).expect(400);
  await send({ action: 'setField', field: 'city', value: 'x'.repeat(101) }).expect(400);
  // Open as by their end, and taken by no worker.
  await sql(
    `insert into contact_bulk_jobs (owner_id, action, params, selection, status) select ?, 'delete', '{}', '{"ids": []}', 'failed' from generate_series(1, 3)`,
    [dan.id],
  );
  const { body } = await send({ action: 'delete' }).expect(409);
  expect(body.code).toBe('limit_reached');
});
