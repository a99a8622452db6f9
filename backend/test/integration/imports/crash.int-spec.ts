import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { csvOf, Importer } from './support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let ann: Importer;

beforeAll(async () => {
  app = await startApp();
  ann = new Importer(app, await app.user());
});
afterAll(() => app.close());

/** Waits until an import has failed because of what the test broke. */
const broken = (id: string) =>
  until(
    async () =>
      (await ann.query<{ error: string | null }>(`select error from contact_imports where id = ?`, [id]))[0]?.error,
  );

/** Empties the unlogged tables, as a crash of the database does. */
const loseStaged = () => ann.query(`truncate contact_import_records, contact_import_rows, contact_import_domains`);

describe('a worker that dies', () => {
  // A killed worker leaves its lease, and what it had committed.
  it.each([
    ['reading', 'contact_import_records', 'new.position = 1'],
    ['checking', 'contact_import_rows', 'new.line = 6000'],
    ['committing', 'contact_profiles', 'new.import_line = 6000'],
  ])('while it is %s: the same contacts are added, none twice', async (_when, table, when) => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    await ann.query(
      `create or replace function break_import() returns trigger language plpgsql as $$ begin raise exception 'killed on purpose'; end $$`,
    );
    await ann.query(
      `create trigger break_import before insert on ${table} for each row when (${when}) execute function break_import()`,
    );
    let isBroken = true;
    const mend = async (id: string) => {
      if (!isBroken) return;
      await broken(id);
      await ann.query(`drop trigger break_import on ${table}`);
      isBroken = false;
      await ann.query(`update contact_imports set lease_until = now() - interval '1 second' where id = ?`, [id]);
      await app.get(ImportSweeper).sweep();
    };
    const id = await user.upload(csvOf(12_000, 'k'));
    if (table === 'contact_import_records') await mend(id);
    await user.settled(id, 'mapping');
    await user.patch(id, { listId: list });
    await user.user.agent.post(`/api/imports/${id}/check`).expect(202);
    if (table === 'contact_import_rows') await mend(id);
    expect((await user.settled(id, 'ready')).report).toMatchObject({ new: 12_000, leftOut: 0 });
    expect(await user.counts()).toEqual({ people: 0, members: 0 });
    await user.user.agent.post(`/api/imports/${id}/commit`).expect(202);
    await mend(id);
    expect((await user.settled(id, 'done')).result).toMatchObject({
      added: 12_000,
      updated: 0,
      unchanged: 0,
      leftOut: 0,
    });
    expect(await user.counts()).toEqual({ people: 12_000, members: 12_000 });
  });

  it('together with the database has its file read and checked again; corrections stay, and a commit continues where it stopped', async () => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    const id = await user.upload(`${csvOf(11_000, 'u')}broken,Late,Acme\n`);
    await user.checked(id, { listId: list });
    await user.user.agent.patch(`/api/imports/${id}/rows/11002`).send({ email: 'late@vendor.example' }).expect(200);
    await loseStaged();
    await app.get(ImportSweeper).sweep();
    const again = await user.settled(id, 'ready');
    expect(again.report).toMatchObject({ new: 11_001, leftOut: 0 });
    await ann.query(
      `create or replace function break_import() returns trigger language plpgsql as $$ begin raise exception 'killed on purpose'; end $$`,
    );
    await ann.query(
      `create trigger break_import before insert on contact_profiles for each row when (new.import_line = 6000) execute function break_import()`,
    );
    await user.user.agent.post(`/api/imports/${id}/commit`).expect(202);
    await until(async () => (await user.counts()).people >= 5_000);
    await broken(id);
    await loseStaged();
    await ann.query(`drop trigger break_import on contact_profiles`);
    await ann.query(`update contact_imports set lease_until = now() - interval '1 second' where id = ?`, [id]);
    await app.get(ImportSweeper).sweep();
    expect((await user.settled(id, 'done')).result).toMatchObject({ added: 11_001, leftOut: 0 });
    expect(await user.counts()).toEqual({ people: 11_001, members: 11_001 });
  });
});

describe('concurrent work on one import', () => {
  it('by two commits has the effect of one, also with the same key', async () => {
    const user = new Importer(app, await app.user());
    const ready = await user.checked(await user.upload(csvOf(300, 't')));
    const call = (key: string) => user.user.agent.post(`/api/imports/${ready.id}/commit`).set('Idempotency-Key', key);
    const answers = await Promise.all([call('one'), call('two'), call('one'), call('two')]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 202, 409, 409]);
    expect((await user.settled(ready.id, 'done')).result).toMatchObject({ added: 300 });
    expect(await user.counts()).toEqual({ people: 300, members: 0 });
  });

  it('by two workers adds nobody twice', async () => {
    const other = await startApp({ beside: app });
    try {
      const user = new Importer(app, await app.user());
      const list = await user.list();
      const ids = await Promise.all([user.upload(csvOf(12_000, 'w')), user.upload(csvOf(12_000, 'w'))]);
      for (const id of ids) await user.checked(id, { listId: list });
      await Promise.all(ids.map((id) => user.user.agent.post(`/api/imports/${id}/commit`).expect(202)));
      const done = await Promise.all(ids.map((id) => user.settled(id, 'done')));
      expect(done.reduce((sum, { result }) => sum + result!.added, 0)).toBe(12_000);
      expect(await user.counts()).toEqual({ people: 12_000, members: 12_000 });
    } finally {
      await other.close();
    }
  });
});
