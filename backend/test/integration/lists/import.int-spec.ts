import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let ann: SignedUp;
let list: string;
let path: string;

interface Job {
  id: string;
  status: string;
  total: number;
  added: number;
  skipped: number;
  rows: { line: number; email: string; reason: string }[];
}

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

beforeAll(async () => {
  app = await startApp();
  ann = await app.user({ verified: false });
});
afterAll(() => app.close());

async function fresh(): Promise<void> {
  list = (await ann.agent.post('/api/email-lists').send({ name: 'Imported' }).expect(201)).body.id;
  path = `/api/email-lists/${list}/subscribers`;
}
async function ended(id: string, agent = ann.agent): Promise<Job> {
  return until(
    'the import has ended',
    async () => {
      const { body } = await agent.get(`${path}/import/${id}`).expect(200);
      return (body.status === 'done' || body.status === 'failed') && (body as Job);
    },
    250_000,
  ) as Promise<Job>;
}
const csv = (text: string | Buffer) => ann.agent.post(`${path}/import`).set('Content-Type', 'text/csv').send(text);

describe('import', () => {
  it('of 10,000 lines reports every rejected line', async () => {
    await fresh();
    await ann.agent.post(path).send({ email: 'there@x.example' }).expect(201);
    await query(
      `insert into suppressions (scope, owner_id, address_hash, reason) values ('owner', ?, sha256('left@x.example'::bytea), 'unsubscribed')`,
      [ann.id],
    );
    const lines = Array.from({ length: 10_000 }, (_, n) => `v${n}@x.example,Vendor ${n},"Acme, ${n}"`);
    lines[10] = 'not an address,X,Y';
    lines[20] = 'There@X.example,X,Y';
    lines[30] = 'LEFT@x.example,X,Y';
    lines[40] = 'v5@X.example,X,Y';
    lines[9_000] = 'v6@x.example,X,Y';
    const { body } = await csv(`\uFEFFEmail Address,Full Name,Company\r\n${lines.join('\r\n')}\r\n`).expect(202);
    const job = await ended(body.id);
    expect(job).toMatchObject({ status: 'done', total: 10_000, added: 9_995, skipped: 5 });
    expect(job.rows).toEqual([
      { line: 12, email: 'not an address', reason: 'invalid' },
      { line: 22, email: 'There@x.example', reason: 'exists' },
      { line: 32, email: 'LEFT@x.example', reason: 'suppressed' },
      { line: 42, email: 'v5@X.example', reason: 'duplicate' },
      { line: 9_002, email: 'v6@x.example', reason: 'duplicate' },
    ]);
    const rejected = await ann.agent.get(`${path}/import/${body.id}/rejected.csv`).expect(200);
    expect(rejected.headers['content-type']).toContain('text/csv');
    expect(rejected.text.trim().split('\r\n')).toHaveLength(6);
    expect(rejected.text.startsWith('line,email,reason\r\n12,not an address,invalid\r\n')).toBe(true);
    const { body: after } = await ann.agent.get(`/api/email-lists/${list}`).expect(200);
    expect(after.contactCount).toBe(9_996);
    const [one] = await query<{ name: string; attributes: object; source: string; confirmed: boolean }>(
      `select name, attributes, source, confirmed from subscriptions where email_list_id = ? and email_norm = 'v7@x.example'`,
      [list],
    );
    expect(one).toEqual({ name: 'Vendor 7', attributes: { Company: 'Acme, 7' }, source: 'import', confirmed: false });
    expect(await query('select position from contact_import_chunks where import_id = ?', [body.id])).toEqual([]);
  });

  it('accepts JSON lines, forms with a file, files without a header, other delimiters and odd quotes', async () => {
    await fresh();
    const typed = await ann.agent
      .post(`${path}/import`)
      .send({ lines: ['a@x.example', ' b@x.example , Bea Lee ', '', 'nothing'] })
      .expect(202);
    expect(await ended(typed.body.id)).toMatchObject({
      status: 'done',
      total: 3,
      added: 2,
      skipped: 1,
      rows: [{ line: 4, email: 'nothing', reason: 'invalid' }],
    });
    const form = await ann.agent
      .post(`${path}/import`)
      .set('Origin', app.settings.appUrl)
      .field('attestation', 'Our clients since 2024')
      .attach('file', Buffer.from('c@x.example, Cy\nd@x.example'), 'people.txt')
      .expect(202);
    expect(await ended(form.body.id)).toMatchObject({ status: 'done', added: 2 });
    const semicolons = await csv(
      'First;Last;E-Mail\nEve;Stone;e@x.example\n"Fay;\n""F""";Hill;f@x.example\n"broken;g@x.example;x\nGil;Gray;g@x.example\n',
    ).expect(202);
    expect(await ended(semicolons.body.id)).toMatchObject({
      status: 'done',
      total: 4,
      added: 3,
      skipped: 1,
      rows: [{ line: 5, reason: 'invalid' }],
    });
    const { body: all } = await ann.agent.get(`${path}?sort=email`).expect(200);
    expect(all.map((contact: { email: string; name: string }) => [contact.email, contact.name])).toEqual([
      ['a@x.example', null],
      ['b@x.example', 'Bea Lee'],
      ['c@x.example', 'Cy'],
      ['d@x.example', null],
      ['e@x.example', 'Eve Stone'],
      ['f@x.example', 'Fay; "F" Hill'],
      ['g@x.example', 'Gil Gray'],
    ]);
    const [held] = await query<{ state: string; attestation_state: string; opt_in_state: string }>(
      `select i.attestation_state, c.opt_in_state from contact_imports i join subscriptions c on c.import_id = i.id where i.id = ? limit 1`,
      [form.body.id],
    );
    expect(held).toMatchObject({ attestation_state: 'waiting', opt_in_state: 'held' });
  });

  it('accepts 100,000 typed lines, up to 16 MB, and reads them only for accounts that may import', async () => {
    await fresh();
    // Each address occurs ten times, because only the number of lines matters here.
    const lines = Array.from({ length: 100_000 }, (_, n) => `typed${n % 10_000}@x.example, Vendor ${n}`);
    const { body } = await ann.agent.post(`${path}/import`).send({ lines }).expect(202);
    expect(await ended(body.id)).toMatchObject({ status: 'done', total: 100_000, added: 10_000, skipped: 90_000 });
    const wide = { lines: ['a@x.example', 'x'.repeat(16 * 1024 * 1024)] };
    await ann.agent
      .post(`${path}/import`)
      .send(wide)
      .expect(413)
      .expect(({ body: error }) => expect(error.code).toBe('payload_too_large'));
    await ann.agent
      .post(path)
      .send({ email: 'x'.repeat(1_100_000) })
      .expect(413);
    await ann.agent
      .post(`${path}/import`)
      .send({ lines: ['a\u0000@x.example'] })
      .expect(400);
    await ann.agent.post(`${path}/import`).type('json').send('{"lines":').expect(400);
  });

  it("refuses invalid imports, and other users' lists", async () => {
    await fresh();
    await ann.agent.post(`${path}/import`).send({ lines: [] }).expect(400);
    await ann.agent
      .post(`${path}/import`)
      .send({ lines: [1] })
      .expect(400);
    await ann.agent
      .post(`${path}/import`)
      .send({ lines: ['a@x.example'], confirmed: true })
      .expect(400);
    await csv('').expect(400);
    await ann.agent.post(`${path}/import`).set('Content-Type', 'application/zip').send(gzipSync('x')).expect(415);
    await ann.agent.post(`${path}/import`).set('Origin', app.settings.appUrl).field('other', 'x').expect(400);
    const bob = await app.user();
    await bob.agent
      .post(`${path}/import`)
      .send({ lines: ['a@x.example'] })
      .expect(404);
    await ann.agent.get(`${path}/import/00000000-0000-4000-8000-000000000000`).expect(404);
    expect(await query('select id from contact_imports where email_list_id = ?', [list])).toEqual([]);
  });

  describe('after a crash', () => {
    afterEach(async () => {
      await query('drop trigger if exists break_import on contact_import_rejects');
    });

    it('continues after the last committed batch', async () => {
      await fresh();
      await query(
        `create or replace function break_import() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$`,
      );
      await query(
        `create trigger break_import before insert on contact_import_rejects for each row when (new.line > 5000) execute function break_import()`,
      );
      const lines = Array.from({ length: 12_000 }, (_, n) => `w${n}@x.example`);
      lines[6_000] = 'bad';
      const { body } = await csv(lines.join('\n')).expect(202);
      let job: { status: string; total: number; added: number; error: string | null } | undefined;
      await until(async () => {
        [job] = await query<typeof job & object>(
          'select status, total, added, error from contact_imports where id = ?',
          [body.id],
        );
        return job?.error;
      });
      expect(job).toMatchObject({ status: 'running', total: 5_000, added: 5_000 });
      const shown = (await ann.agent.get(`${path}/import/${body.id}`).expect(200)).body;
      expect(shown.status).toBe('running');
      expect(shown.total).toBeGreaterThan(10_000);
      await query('drop trigger break_import on contact_import_rejects');
      await query(`update contact_imports set lease_until = now() - interval '1 second' where id = ?`, [body.id]);
      await app.get(ImportSweeper).sweep();
      expect(await ended(body.id)).toMatchObject({
        status: 'done',
        total: 12_000,
        added: 11_999,
        skipped: 1,
        rows: [{ line: 6_001, email: 'bad', reason: 'invalid' }],
      });
    });
  });

  it('is released at once by a stopping worker', async () => {
    const other = await startApp({ beside: app });
    await app.nest.get('BullQueue_imports', { strict: false }).pause(true);
    try {
      await fresh();
      await query(
        `create or replace function break_import() returns trigger language plpgsql as $$ begin perform pg_sleep(2.5); return new; end $$`,
      );
      await query(
        `create trigger break_import before insert on contact_import_rejects for each row when (new.line = 101) execute function break_import()`,
      );
      const lines = Array.from({ length: 12_000 }, (_, n) => `h${n}@x.example`);
      lines[100] = 'bad';
      const { body } = await csv(lines.join('\n')).expect(202);
      await until(
        async () =>
          (await query<{ status: string }>('select status from contact_imports where id = ?', [body.id]))[0]!.status ===
          'running',
      );
      await other.close();
      expect(
        await query('select status, total, lease_until <= now() as free from contact_imports where id = ?', [body.id]),
      ).toEqual([{ status: 'running', total: 5_000, free: true }]);
      await app.nest.get('BullQueue_imports', { strict: false }).resume(true);
      expect(await ended(body.id)).toMatchObject({ status: 'done', total: 12_000, added: 11_999, skipped: 1 });
    } finally {
      await query('drop trigger if exists break_import on contact_import_rejects');
      await app.nest.get('BullQueue_imports', { strict: false }).resume(true);
    }
  });

  it('stops at the plan limit with that reason', async () => {
    const tight = await startApp({ beside: app, env: { FREE_CONTACT_LIMIT: '3', ROLE: 'all' } });
    try {
      const dan = await tight.user();
      const id = (await dan.agent.post('/api/email-lists').send({ name: 'Few' }).expect(201)).body.id;
      path = `/api/email-lists/${id}/subscribers`;
      await app.nest.get('BullQueue_imports', { strict: false }).pause(true);
      const { body } = await dan.agent
        .post(`${path}/import`)
        .send({ lines: ['a@l.example', 'b@l.example', 'x', 'c@l.example', 'd@l.example', 'a@l.example'] })
        .expect(202);
      const job = await ended(body.id, dan.agent);
      expect(job).toMatchObject({ status: 'done', total: 6, added: 3, skipped: 3 });
      expect(job.rows).toEqual([
        { line: 3, email: 'x', reason: 'invalid' },
        { line: 5, email: 'd@l.example', reason: 'limit' },
        { line: 6, email: 'a@l.example', reason: 'duplicate' },
      ]);
    } finally {
      await app.nest.get('BullQueue_imports', { strict: false }).resume(true);
      await tight.close();
    }
  });
});
