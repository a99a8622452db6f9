import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { csvOf, Importer } from './support.js';

let app: TestApp;
let ann: Importer;

beforeAll(async () => {
  app = await startApp();
  ann = new Importer(app, await app.user());
});
afterAll(() => app.close());

describe('an import in steps', () => {
  it('writes nothing to contacts before it is committed, then all of it, and finds everybody unchanged the second time', async () => {
    const list = await ann.list();
    const id = await ann.upload(csvOf(6_000), 'vendors.csv');
    const read = await ann.settled(id, 'mapping');
    expect(read).toMatchObject({
      fileName: 'vendors.csv',
      fileKind: 'csv',
      encoding: 'utf8',
      hasHeader: true,
      lines: 6_000,
      report: null,
      result: null,
    });
    expect(read.columns.map(({ header, target, from }) => [header, target, from])).toEqual([
      ['Email', 'email', 'guessed'],
      ['Full Name', 'name', 'guessed'],
      ['Company', 'company', 'guessed'],
    ]);
    expect(read.columns[2]!.samples).toEqual(['Acme, 0', 'Acme, 1', 'Acme, 2']);
    const ready = await ann.checked(id, { listId: list, tags: ['Texas'] });
    expect(ready.report).toMatchObject({ new: 6_000, updated: 0, unchanged: 0, leftOut: 0, groups: [] });
    expect(ready.report!.domains).toEqual([{ domain: 'vendor.example', people: 6_000 }]);
    expect(await ann.counts()).toEqual({ people: 0, members: 0 });
    const done = await ann.committed(id);
    expect(done.result).toMatchObject({ added: 6_000, updated: 0, unchanged: 0, leftOut: 0, removed: 0 });
    expect(done.undoUntil).not.toBeNull();
    expect(await ann.counts()).toEqual({ people: 6_000, members: 6_000 });
    const [one] = await ann.query<object>(
      `select p.first_name, p.last_name, p.company, p.company_domain, t.name as tag, c.name, c.opt_in_state, c.attributes, p.import_line
       from contact_profiles p join contact_tags t on t.id = any (p.tag_ids) join subscriptions c on c.profile_id = p.id where p.owner_id = ? and p.email_norm = 'v7@vendor.example'`,
      [ann.user.id],
    );
    expect(one).toEqual({
      first_name: null,
      last_name: null,
      company: 'Acme, 7',
      company_domain: 'vendor.example',
      tag: 'Texas',
      name: 'Vendor 7',
      opt_in_state: 'due',
      attributes: { Company: 'Acme, 7' },
      import_line: 9,
    });
    const again = await ann.checked(await ann.upload(csvOf(6_000)), { listId: list, tags: ['texas'] });
    expect(again.columns.map(({ from }) => from)).toEqual(['remembered', 'remembered', 'remembered']);
    expect(again.report).toMatchObject({ new: 0, updated: 0, unchanged: 6_000, leftOut: 0 });
    await ann.user.agent.post(`/api/imports/${again.id}/discard`).expect(204);
    expect((await ann.look(again.id)).status).toBe('discarded');
    const { body: all } = await ann.user.agent.get('/api/imports?limit=10').expect(200);
    expect(all.map(({ id: shown }: { id: string }) => shown)).toEqual([id]);
  });

  it('reads pasted recipients, fills or replaces known values, and skips known people on request', async () => {
    const bea = new Importer(app, await app.user());
    const pasted = await bea.checked(await bea.paste('Lee, Bea <bea@acme.example>; "Kim, Sam" <sam@acme.example>'));
    expect(pasted).toMatchObject({ fileName: null, fileKind: 'text', report: { new: 2 } });
    await bea.committed(pasted.id);
    expect(
      await bea.query(`select first_name, last_name from contact_profiles where owner_id = ? order by email`, [
        bea.user.id,
      ]),
    ).toEqual([
      { first_name: 'Bea', last_name: 'Lee' },
      { first_name: 'Sam', last_name: 'Kim' },
    ]);
    const file =
      'Email,First name,Last name,Company,Phone\nbea@acme.example,Beatrice,Lee,Acme,(214) 555-0188\nnew@acme.example,Nia,Ray,Acme,\n';
    const filled = await bea.checked(await bea.upload(file), { existing: 'fill' });
    expect(filled.report).toMatchObject({ new: 1, updated: 1 });
    expect((await bea.patch(filled.id, { existing: 'leave' })).report).toBeNull();
    expect((await bea.checked(filled.id)).report).toMatchObject({ new: 1, updated: 0, unchanged: 1 });
    await bea.patch(filled.id, { existing: 'replace' });
    await bea.checked(filled.id);
    expect((await bea.committed(filled.id)).result).toMatchObject({ added: 1, updated: 1 });
    const [person] = await bea.query<object>(
      `select first_name, company, phone_e164 from contact_profiles where owner_id = ? and email_norm = 'bea@acme.example'`,
      [bea.user.id],
    );
    expect(person).toEqual({ first_name: 'Beatrice', company: 'Acme', phone_e164: '+12145550188' });
  });

  it("maps columns to the account's own fields, tags, skills and notes, and reports values that do not fit", async () => {
    const user = new Importer(app, await app.user());
    await user.user.agent.post('/api/contact-fields').send({ label: 'Since', type: 'date' }).expect(201);
    const id = await user.upload(
      'E-mail;Since;Groups;Skills;Memo\na@f.example;2024-05-01;Gold, Texas;Java;Met in Austin\nb@f.example;soon;gold;;\n',
    );
    const ready = await user.checked(id, { mapping: ['email', 'field.since', 'tags', 'skills', 'note'] });
    expect(ready.report).toMatchObject({ new: 2, groups: [{ code: 'misfit', count: 1 }] });
    expect(await user.lines(id, { group: 'misfit' })).toEqual([
      expect.objectContaining({
        line: 3,
        email: 'b@f.example',
        verdict: 'new',
        codes: ['misfit'],
        misfits: ['Since'],
        cells: ['b@f.example', 'soon', 'gold'],
      }),
    ]);
    await user.committed(id);
    expect(
      await user.query(
        `select p.email, p.fields, array(select name from contact_tags t where t.id = any (p.tag_ids) order by name) as tags, (select body from contact_notes n where n.profile_id = p.id) as note
         from contact_profiles p where p.owner_id = ? order by 1`,
        [user.user.id],
      ),
    ).toEqual([
      {
        email: 'a@f.example',
        fields: { since: '2024-05-01' },
        tags: ['Gold', 'Texas', 'skill: Java'],
        note: 'Met in Austin',
      },
      { email: 'b@f.example', fields: {}, tags: ['Gold'], note: null },
    ]);
    const same = await user.checked(
      await user.upload('E-mail;Since;Groups;Skills;Memo\na@f.example;2024-05-01;gold;java;Met in Austin\n'),
    );
    expect(same.report).toMatchObject({ unchanged: 1, updated: 0 });
  });
});

describe('a check', () => {
  it('reports who is left out and why; single lines and whole domains can be corrected', async () => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    await user.query(
      `insert into suppressions (scope, owner_id, address_hash, reason) values ('owner', ?, sha256('left@acme.example'::bytea), 'unsubscribed')`,
      [user.user.id],
    );
    const lines = [
      'Email,Name',
      'a@acme.example,Ann',
      'nonsense,Bob',
      'A@Acme.example,Ann again',
      'left@acme.example,Lea',
      'no-reply@acme.example,Robot',
      'jobs@acme.example,Desk',
      'sam@gmial.com,Sam',
      'kim@gmial.com,Kim',
      'x@mailinator.com,X',
    ];
    const id = await user.upload(lines.join('\n'));
    const ready = await user.checked(id, { listId: list });
    const groups = (report: typeof ready.report) =>
      Object.fromEntries(report!.groups.map(({ code, count }) => [code, count]));
    expect(groups(ready.report)).toEqual({
      invalid: 1,
      duplicate: 1,
      suppressed: 1,
      list_address: 1,
      disposable: 1,
      role: 1,
      mistyped: 2,
    });
    expect(ready.report).toMatchObject({
      new: 4,
      leftOut: 5,
      typos: [{ from: 'gmial.com', to: 'gmail.com', rows: 2 }],
    });
    expect(await user.lines(id, { verdict: 'left_out', limit: 2 })).toEqual([
      expect.objectContaining({
        line: 3,
        email: 'nonsense',
        codes: ['invalid'],
        reason: 'Not an email address',
        cells: ['nonsense', 'Bob'],
      }),
      expect.objectContaining({ line: 4, codes: ['duplicate'], reason: 'Twice in this file' }),
    ]);
    const csv = (await user.user.agent.get(`/api/imports/${id}/rejected.csv`).expect(200)).text.trim().split('\r\n');
    expect(csv[0]).toBe('line,reason,Email,Name');
    expect(csv[1]).toBe('3,Not an email address,nonsense,Bob');
    expect(csv).toHaveLength(6);

    const { body: corrected } = await user.user.agent
      .patch(`/api/imports/${id}/rows/3`)
      .send({ email: 'bob@acme.example' })
      .expect(200);
    expect(corrected).toMatchObject({
      line: 3,
      email: 'bob@acme.example',
      verdict: 'new',
      codes: [],
      isCorrected: true,
    });
    // Of two lines with the same address the first one counts. When it is corrected, the other one counts.
    await user.user.agent.patch(`/api/imports/${id}/rows/2`).send({ email: 'anna@acme.example' }).expect(200);
    expect(groups((await user.look(id)).report)).not.toHaveProperty('duplicate');
    await user.user.agent.patch(`/api/imports/${id}/rows/99`).send({ email: 'x@acme.example' }).expect(404);

    await user.user.agent
      .post(`/api/imports/${id}/fix-domain`)
      .send({ from: 'gmial.com', to: 'gmail.com' })
      .expect(202);
    const fixed = await user.settled(id, 'ready');
    expect(groups(fixed.report)).toEqual({ suppressed: 1, list_address: 1, disposable: 1, role: 1 });
    await user.patch(id, { roles: 'drop' });
    const dropped = await user.checked(id);
    expect(groups(dropped.report)).toMatchObject({ role: 1 });
    expect(dropped.report).toMatchObject({ new: 5, leftOut: 4 });
    const done = await user.committed(id);
    expect(done.result).toMatchObject({ added: 5, leftOut: 4 });
    expect(
      await user.query(`select email from contact_profiles where owner_id = ? order by email_norm`, [user.user.id]),
    ).toEqual(
      ['A@acme.example', 'anna@acme.example', 'bob@acme.example', 'kim@gmail.com', 'sam@gmail.com'].map((email) => ({
        email,
      })),
    );
    const after = (await user.user.agent.get(`/api/imports/${id}/rejected.csv`).expect(200)).text.trim().split('\r\n');
    expect(after).toContain('7,"Role address (jobs@, hr@)",jobs@acme.example,Desk');
  });

  it('needs a column with addresses, and refuses unknown lines and imports', async () => {
    const user = new Importer(app, await app.user());
    const id = await user.upload('Name,City\nAnn,Dallas\n');
    await user.settled(id, 'mapping');
    const refused = await user.user.agent.post(`/api/imports/${id}/check`).expect(400);
    expect(refused.body.message).toBe('No column looks like an email address. Choose it.');
    await user.patch(id, { mapping: ['email'] }, 400);
    await user.patch(id, { mapping: ['email', 'email'] }, 400);
    await user.patch(id, { mapping: ['email', 'field.unknown'] }, 400);
    await user.patch(id, { sheet: 3 }, 400);
    await user.patch(id, { nonsense: true }, 400);
    const foreign = await new Importer(app, await app.user()).list();
    expect((await user.patch(id, { listId: foreign }, 404)).message).toBe('List not found');
    expect((await user.look(id)).status).toBe('mapping');
    expect(await user.query(`select 1 from contact_import_chunks where import_id = ?`, [id])).toHaveLength(1);
    await user.user.agent.post(`/api/imports/${id}/commit`).expect(409);
    await user.user.agent.get(`/api/imports/${id}/rows`).expect(409);
  });
});

describe('imports of other users', () => {
  it('answer 404 in every call', async () => {
    const id = await ann.upload(csvOf(2));
    await ann.settled(id, 'mapping');
    const { agent } = await app.user();
    await agent.get(`/api/imports/${id}`).expect(404);
    await agent.patch(`/api/imports/${id}`).send({ roles: 'drop' }).expect(404);
    for (const call of ['check', 'commit', 'discard', 'undo'])
      await agent.post(`/api/imports/${id}/${call}`).expect(404);
    await agent.post(`/api/imports/${id}/fix-domain`).send({ from: 'x.example' }).expect(404);
    await agent.get(`/api/imports/${id}/rows`).expect(404);
    await agent.patch(`/api/imports/${id}/rows/2`).send({ email: 'a@x.example' }).expect(404);
    await agent.get(`/api/imports/${id}/rejected.csv`).expect(404);
    expect((await agent.get('/api/imports').expect(200)).body).toEqual([]);
  });
});

describe('an account', () => {
  it('has at most three unfinished imports, and each is kept seven days', async () => {
    const user = new Importer(app, await app.user());
    const ids = [await user.paste('a@x.example'), await user.paste('b@x.example'), await user.paste('c@x.example')];
    for (const id of ids) await user.settled(id, 'mapping');
    const { body } = await user.user.agent.post('/api/imports').send({ text: 'd@x.example' }).expect(429);
    expect(body).toMatchObject({ code: 'imports_open', message: expect.stringContaining('three unfinished imports') });
    await user.query(`update contact_imports set touched_at = now() - interval '8 days' where id = ?`, [ids[0]]);
    await app.get(ImportSweeper).sweep();
    expect((await user.look(ids[0]!)).status).toBe('discarded');
    expect(await user.query(`select 1 from contact_import_chunks where import_id = ?`, [ids[0]])).toEqual([]);
    await user.paste('d@x.example');
  });

  it('is told at once that the kind of a file cannot be read', async () => {
    const user = new Importer(app, await app.user());
    for (const [content, text] of [
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3, 4]), 'Save it as .xlsx or CSV.'],
      [Buffer.from('%PDF-1.7 something'), 'Save it as .xlsx or CSV.'],
    ] as const) {
      const { body } = await user.user.agent
        .post('/api/imports')
        .set('Origin', app.settings.appUrl)
        .attach('file', content, 'x.xls')
        .expect(400);
      expect(body).toMatchObject({ code: 'file_type', message: expect.stringContaining(text) });
    }
    await user.user.agent.post('/api/imports').send({ text: '   ' }).expect(400);
    expect(await user.query(`select 1 from contact_imports where user_id = ?`, [user.user.id])).toEqual([]);
  });
});
