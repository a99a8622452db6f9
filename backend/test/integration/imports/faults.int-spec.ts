import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImportScheduler } from '../../../src/modules/lists/imports/running/import-scheduler.service.js';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { workbookOf } from '../../kit/workbooks.js';
import { until } from '../../kit/until.js';
import { csvOf, Importer } from './support.js';

let app: TestApp;
let ann: Importer;

beforeAll(async () => {
  app = await startApp();
  ann = new Importer(app, await app.user());
});
afterAll(() => app.close());

/** Waits for a condition on an import's row. */
async function untilImport(id: string, condition: string): Promise<void> {
  await until(
    `the import's ${condition}`,
    async () => (await ann.query(`select 1 from contact_imports where id = ? and ${condition}`, [id])).length > 0,
  );
}

describe('an import that cannot continue', () => {
  it('fails after its workers were killed five times in a row', async () => {
    const user = new Importer(app, await app.user());
    const id = await user.upload(csvOf(3));
    await user.settled(id, 'mapping');
    // Puts the import into the state in which five killed workers leave it.
    await ann.query(
      `update contact_imports set status = 'checking', stage = 'check', goal = 'ready', attempts = 5, lease_until = now() - interval '1 second' where id = ?`,
      [id],
    );
    await app.get(ImportSweeper).sweep();
    await untilImport(id, `status in ('failed', 'ready')`);
    expect(await user.look(id)).toMatchObject({ status: 'failed', stage: 'check' });
    await user.user.agent.post(`/api/imports/${id}/check`).expect(202);
    await user.settled(id, 'ready');
  });

  it('fails after each attempt to read it ended in an error', async () => {
    const user = new Importer(app, await app.user());
    await ann.query(
      `create or replace function break_reading() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$`,
    );
    await ann.query(
      `create trigger break_reading before insert on contact_import_records for each row execute function break_reading()`,
    );
    try {
      const id = await user.upload(csvOf(3));
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        await untilImport(id, `(error is not null or status = 'failed')`);
        await ann.query(
          `update contact_imports set error = null, lease_until = now() - interval '1 second' where id = ? and status <> 'failed'`,
          [id],
        );
        await app.get(ImportSweeper).sweep();
      }
      await untilImport(id, `(error is not null or status = 'failed')`);
      expect((await user.look(id)).status).toBe('failed');
    } finally {
      await ann.query(`drop trigger break_reading on contact_import_records`);
    }
  });

  it('can be committed again after an error, also with the same key, or undone', async () => {
    const user = new Importer(app, await app.user());
    const { id } = await user.checked(await user.upload(csvOf(3)));
    await ann.query(
      `update contact_imports set status = 'failed', stage = 'commit', failure = 'fault', commit_key = 'one', committed_at = now(), finished_at = now() where id = ?`,
      [id],
    );
    expect(await user.look(id)).toMatchObject({ status: 'failed', stage: 'commit', undoUntil: expect.any(String) });
    await user.user.agent.post(`/api/imports/${id}/commit`).set('Idempotency-Key', 'one').expect(202);
    expect((await user.settled(id, 'done')).result).toMatchObject({ added: 3 });
    await ann.query(`update contact_imports set status = 'failed', stage = 'undo', failure = 'fault' where id = ?`, [
      id,
    ]);
    expect(await user.look(id)).toMatchObject({ stage: 'undo', undoUntil: expect.any(String) });
    await user.user.agent.post(`/api/imports/${id}/undo`).expect(202);
    expect((await user.settled(id, 'undone')).result).toMatchObject({ removed: 3 });
  });
});

describe('an import of an account that is not verified', () => {
  it('has a small limit of lines, whatever its file begins with', async () => {
    const user = new Importer(app, await app.user({ verified: false }));
    const { body } = await user.user.agent
      .post('/api/imports')
      .set('Origin', app.settings.appUrl)
      .attach('file', Buffer.from(`PK${'a@x.example\n'.repeat(100_001)}`), 'people.csv')
      .expect(403);
    expect(body).toMatchObject({ code: 'email_unverified', message: expect.stringContaining('100,000 lines') });
    const rows = Array.from({ length: 100_002 }, (_, n) => (n > 1 && n < 100_001 ? [] : ['a@x.example']));
    const id = await user.upload(await workbookOf([{ name: 'People', rows }]), 'people.xlsx');
    await untilImport(id, `status in ('failed', 'mapping')`);
    expect((await user.look(id)).message).toContain('more than 100,001 rows');
  });
});

describe('a worker', () => {
  it('closes files that were discarded or taken over by another worker', async () => {
    const user = new Importer(app, await app.user());
    const [gone, own] = [await user.upload(csvOf(3)), await user.upload(csvOf(3))];
    for (const id of [gone, own]) await user.settled(id, 'mapping');
    await user.user.agent.post(`/api/imports/${gone}/discard`).expect(204);
    await ann.query(
      `update contact_imports set status = 'reading', stage = 'read', run = 70, lease_until = now() + interval '60 seconds' where id = ?`,
      [own],
    );
    const held = new Map([
      [gone, 1],
      [own, 70],
    ]);
    const scheduler = app.get(ImportScheduler);
    expect(await scheduler.next(held)).toMatchObject({ kind: 'file', claimed: { id: own, run: 70 } });
    expect([...held.keys()]).toEqual([own]);
    const taken = new Map([[own, 69]]);
    await scheduler.next(taken);
    expect(taken.size).toBe(0);
    await ann.query(`delete from contact_imports where id = ?`, [own]);
  });
});

describe('what an import stores', () => {
  it('includes corrections, which apply to the corrected addresses only', async () => {
    const user = new Importer(app, await app.user());
    const id = await user.upload('Email,Second email\nnonsense,ann@acme.example\n');
    await user.checked(id, { mapping: ['email', 'ignore'] });
    await user.user.agent.patch(`/api/imports/${id}/rows/2`).send({ email: 'bob@acme.example' }).expect(200);
    await user.patch(id, { roles: 'drop' });
    expect((await user.checked(id)).report).toMatchObject({ new: 1 });
    expect(await user.lines(id, { verdict: 'new' })).toEqual([expect.objectContaining({ email: 'bob@acme.example' })]);
    await user.patch(id, { mapping: ['ignore', 'email'] });
    await user.checked(id);
    expect(await user.lines(id, { verdict: 'new' })).toEqual([expect.objectContaining({ email: 'ann@acme.example' })]);
  });

  it('includes all choices that are saved concurrently', async () => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    const id = await user.paste('ann@acme.example');
    await user.settled(id, 'mapping');
    await Promise.all(
      [{ tags: ['Texas'] }, { roles: 'drop' }, { existing: 'leave' }, { listId: list }, { attestation: 'A fair' }].map(
        (choice) => user.patch(id, choice),
      ),
    );
    expect((await user.look(id)).options).toEqual({
      listId: list,
      tags: ['Texas'],
      existing: 'leave',
      roles: 'drop',
      attestation: 'A fair',
    });
  });

  it('includes no staged lines once it is discarded, also where it was read again after its check', async () => {
    const user = new Importer(app, await app.user());
    const { id } = await user.checked(await user.paste('ann@acme.example'));
    // Puts the import into the state in which reading another sheet leaves it.
    await ann.query(`update contact_imports set checked = 0 where id = ?`, [id]);
    await user.user.agent.post(`/api/imports/${id}/discard`).expect(204);
    const staged = () => ann.query(`select 1 from contact_import_rows where import_id = ?`, [id]);
    expect(await staged()).toHaveLength(1);
    await app.get(ImportSweeper).sweep();
    expect(await staged()).toEqual([]);
  });

  it("compares an address with the import's own lines only", async () => {
    const plan = await inTransaction(app.em(), async (em) => {
      await rows(em, `set local enable_seqscan = off`);
      return rows<Record<string, string>>(
        em,
        `explain select 1 from contact_import_rows e where e.email_hash = '\\x00'::bytea and e.import_id::text = 'x' and e.line < 5`,
      );
    });
    const text = JSON.stringify(plan);
    expect(text).toMatch(/Index Cond: .*email_hash.*import_id.*line/);
    expect(text).not.toContain('Filter');
  });
});
