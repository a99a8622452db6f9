import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { BulkActions } from '../../../src/modules/contacts/bulk/bulk-actions.service.js';
import { BulkRunner } from '../../../src/modules/contacts/bulk/bulk-runner.js';
import { ProfileReader } from '../../../src/modules/contacts/profiles/profile-reader.service.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { address, bulkEnded, exportedPeople, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let other: TestApp;
let ann: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  ({ app, other } = await startPair());
  ann = await app.user();
});
afterAll(() => closeAll(other, app));

const ended = (jobId: string, user = ann) => bulkEnded(user, jobId);
const start = async (body: object, user = ann) =>
  (await user.agent.post('/api/contacts/bulk').send(body).expect(202)).body.jobId as string;
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
    // Locks all contacts, so that the jobs wait.
    await em.execute(`select id from contact_profiles where owner_id = ? for update`, [eli.id]);
    await eli.agent.delete(`/api/contact-tags/${tag}`).expect(204);
    await eli.agent.delete(`/api/contact-fields/${fieldId}`).expect(204);
    expect(await shown()).toMatchObject({ tags: [], fields: {} });
    const people = await exportedPeople(app, eli);
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

it('is limited to three open ones an account, and checks built-in fields like a single change', async () => {
  const dan = await app.user();
  const send = (body: object) => dan.agent.post('/api/contacts/bulk').send({ filter: {}, ...body });
  await send({ action: 'setField', field: 'company', value: 'Acme\r\nBcc: x' }).expect(400);
  await send({ action: 'setField', field: 'city', value: 'x'.repeat(101) }).expect(400);
  // These jobs count as unfinished, but no worker takes them.
  await sql(
    `insert into contact_bulk_jobs (owner_id, action, params, selection, status) select ?, 'delete', '{}', '{"ids": []}', 'failed' from generate_series(1, 3)`,
    [dan.id],
  );
  const { body } = await send({ action: 'delete' }).expect(409);
  expect(body.code).toBe('limit_reached');
});
