import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BulkRunner } from '../../../src/modules/contacts/bulk/bulk-runner.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { bulkEnded, exportedPeople, filterOf, newContact, address, sqlOf } from './support.js';

let app: TestApp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
    const people = await exportedPeople(app, fay);
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
    // Locks all contacts, so that the jobs wait.
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
  for (const { id } of bulk)
    expect(await bulkEnded(fay, id)).toMatchObject({ status: 'done', total: 2_500, done: 2_500 });
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
    expect(await bulkEnded(ida, job!.id)).toMatchObject({ status: 'done', done: 1 });
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
    // Takes the lock that a change of the field's type holds before its commit.
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
  expect(await bulkEnded(gil, job!.id)).toMatchObject({ status: 'done', done: 0 });
  expect(await sql(`select fields from contact_profiles where owner_id = ?`, [gil.id])).toEqual([
    { fields: { rate: 80 } },
  ]);
});
