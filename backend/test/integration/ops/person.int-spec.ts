import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { DataSubjectRequests } from '../../../src/cli/data-subject-requests.js';
import { TallyCompactor } from '../../../src/modules/history/send-totals-reader.service.js';
import { DraftPersonalData, TesterPersonalData } from '../../../src/modules/composing/index.js';
import { ProfilePersonalData } from '../../../src/modules/contacts/index.js';
import { RecipientPersonalData } from '../../../src/modules/delivery/index.js';
import { ContactPersonalData } from '../../../src/modules/lists/index.js';
import { InviteePersonalData } from '../../../src/modules/referrals/index.js';
import { ScheduledPersonalData } from '../../../src/modules/schedules/index.js';
import { TestMailPersonalData } from '../../../src/modules/sending/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { Importer } from '../imports/support.js';
import { seedList, send, settled } from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const records = () =>
  new DataSubjectRequests(
    app.get(EntityManager),
    new ContactPersonalData(),
    new RecipientPersonalData(),
    new InviteePersonalData(),
    new ProfilePersonalData(),
    new DraftPersonalData(),
    new ScheduledPersonalData(),
    new TesterPersonalData(),
    new TestMailPersonalData(),
  );
const count = async (sql: string, params: unknown[] = []) =>
  Number((await rows<{ n: string }>(app.em(), `select count(*) as n from ${sql}`, params))[0]!.n);

describe("a person's rights over their data", () => {
  it('export covers all lists and owners; erasure keeps only the hashes that suppress the address', async () => {
    const [ann, bob, cid] = [await app.user(), await app.user(), await app.user()];
    // Bob's contact gets another address below. Cid's contact keeps the address, and no mail is ever sent to it.
    await seedList(app, cid, { addresses: ['eve@people.test'] });
    const lists = [
      await seedList(app, ann, { addresses: ['Eve@people.test', 'other@people.test'] }),
      await seedList(app, bob, { addresses: ['eve@people.test'] }),
    ];
    for (const [at, user] of [ann, bob].entries()) await settled(user, await send(user, lists[at]!));
    const [mail] = await app.mails.waitFor('eve@people.test');
    const link = linkIn(mail!, '/unsubscribe/');
    const { body: profile } = await ann.agent.post('/api/contacts').send({ email: 'Eve@people.test' }).expect(201);
    await ann.agent
      .post(`/api/contacts/${profile.id}/notes`)
      .send({ body: 'Met eve@people.test in Austin' })
      .expect(201);
    const { body: moved } = await bob.agent.post('/api/contacts').send({ email: 'eve@people.test' }).expect(201);
    await bob.agent.post(`/api/contacts/${moved.id}/address`).send({ email: 'elsewhere@people.test' }).expect(200);
    const before = await records().export('EVE@people.test');
    expect(before.profiles).toHaveLength(1);
    expect(before.notes).toMatchObject([{ body: 'Met eve@people.test in Austin' }]);
    expect(before).toMatchObject({ address: 'eve@people.test' });
    expect(before.contacts).toHaveLength(2);
    expect(before.messages).toHaveLength(2);

    await app.http().post(link.pathname).send('List-Unsubscribe=One-Click').expect(200);
    expect((await records().erase('eve@people.test')).rows).toBeGreaterThan(3);

    const after = await records().export('eve@people.test');
    expect(after.contacts).toEqual([]);
    expect(after.messages).toEqual([]);
    expect(after.suppressions).toHaveLength(1);
    for (const { name } of await rows<{ name: string }>(
      app.em(),
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )) {
      expect([name, await count(`${name} t where t::text ilike '%eve@people.test%'`)]).toEqual([name, 0]);
    }
    await app.http().post(link.pathname).send('List-Unsubscribe=One-Click').expect(200);
    const again = (owner: typeof ann, at: number) =>
      owner.agent.post(`/api/email-lists/${lists[at]!.id}/subscribers`).send({ email: 'eve@people.test' });
    const refused = [await again(ann, 0), await again(bob, 1)].filter(({ body }) => body.code === 'suppressed');
    expect(refused).toHaveLength(1);
    expect(await count(`email_delivery_logs where recipient_email = 'other@people.test'`)).toBe(1);
  });

  it('erasure removes the address from audience choices, texts, drafts and segments, and keeps longer addresses', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, user, { addresses: ['ann@acme.test', 'joann@acme.test'] });
    const excludeAddresses = ['ann@acme.test', 'ann@acme.test.example'];
    const rules = ['ann@acme.test', 'joann@acme.test'].map((value) => ({ field: 'email', operator: 'is', value }));
    const id = await send(user, list, { excludeAddresses });
    await settled(user, id);
    const { body: draft } = await user.agent
      .post('/api/drafts')
      .send({ emailListIds: [list.id], excludeAddresses: ['Ann@acme.test', 'joann@acme.test'] })
      .expect(201);
    const { body: segment } = await user.agent
      .post('/api/segments')
      .send({ name: 'Anns', filter: { combinator: 'or', rules } })
      .expect(201);
    await rows(
      app.em(),
      `insert into email_delivery_logs (id, user_id, history_id, position, contact_id, email_list_id, masked, recipient_email, subject, status, metadata)
       select gen_random_uuid(), user_id, history_id, 99, contact_id, email_list_id, false, 'ann@acme.test', subject, 'skipped', '{"reason": "On your list: ann@acme.test (other)"}'
       from email_delivery_logs where history_id = ? limit 1`,
      [id],
    );
    await records().erase('ann@acme.test');
    for (const table of ['send_left_out', 'send_audiences', 'email_drafts', 'segments', 'email_delivery_logs'])
      expect([table, await count(`${table} t where t::text ~* '\\mann@acme\\.test(?!\\.)'`)]).toEqual([table, 0]);
    const kept = await user.agent.get(`/api/email-history/${id}`).expect(200);
    expect(kept.body.audience.excludedAddresses).toEqual(['ann@acme.test.example']);
    expect((await user.agent.get(`/api/drafts/${draft.id}`).expect(200)).body).toMatchObject({
      version: draft.version + 1,
      excludeAddresses: ['joann@acme.test'],
    });
    const { body: after } = await user.agent.get(`/api/segments/${segment.id}`).expect(200);
    expect(after.filter.rules.map(({ value }: { value: string }) => value)).toEqual(['erased', 'joann@acme.test']);
  });

  it('erasure reaches imports: refused lines, samples, and files that are still to be read or checked again', async () => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    const file = [
      'Email,Name,Note',
      'joe@imp.test,Joe,',
      'Zoe@imp.test,Zoe Zola,',
      '"Zoe <zoe@imp.test>",Twice,',
      'broken,Bob,ask zoe@imp.test',
      'azoe@imp.test,Azoe,',
    ].join('\n');
    const done = await user.upload(file);
    await user.checked(done);
    await user.committed(done);
    const [open, ready] = [await user.upload(file), await user.upload(file)];
    await user.settled(open, 'mapping');
    await user.checked(ready, { listId: list });
    expect((await records().export('zoe@imp.test')).refusedImportLines).toHaveLength(2);
    await records().erase('zoe@imp.test');
    for (const { name } of await rows<{ name: string }>(
      app.em(),
      `select tablename as name from pg_tables where schemaname = 'public'`,
    ))
      expect([name, await count(`${name} t where t::text ~* '\\mzoe( zola|@imp\\.test)'`)]).toEqual([name, 0]);
    expect(await user.query(`select line from contact_import_rejects where import_id = ?`, [done])).toEqual([]);
    // Samples that are read again from the stored file do not contain the person either.
    await user.patch(open, { hasHeader: false });
    const again = JSON.stringify((await user.patch(open, { hasHeader: true })).columns);
    expect(again).toContain('joe@imp.test');
    expect(again).not.toMatch(/\bzoe( zola|@imp\.test)/i);
    await user.committed(ready);
    expect((await user.checked(open)).report).toMatchObject({ new: 0, unchanged: 2, leftOut: 0 });
    await user.committed(open);
    expect(
      await user.query(`select email_norm as email from contact_profiles where owner_id = ? order by 1`, [
        user.user.id,
      ]),
    ).toEqual([{ email: 'azoe@imp.test' }, { email: 'joe@imp.test' }]);
    expect(await count(`contact_import_erasures`)).toBe(0);
    expect(await count(`contact_import_chunks`)).toBe(0);
  });

  it('erasure finds an address in any form that an import reads, and no longer address that contains it', async () => {
    const user = new Importer(app, await app.user());
    const file = [
      'Email,Name,Note',
      'mailto:amy@forms.test?subject=Hi,Link,',
      `'amy@forms.test',Quoted,`,
      `o'amy@forms.test,Other,`,
      `d'arcy@forms.test,Apostrophe,`,
      'broken,Note,"Ask:\namy@forms.test"',
    ].join('\n');
    const done = await user.upload(file);
    await user.checked(done);
    await user.committed(done);
    await untilAccountSettled(app, user.user);
    await rows(app.em(), `delete from contact_profiles where owner_id = ?`, [user.user.id]);
    const open = await user.upload(file);
    await user.settled(open, 'mapping');
    await records().erase('amy@forms.test');
    await records().erase(`d'arcy@forms.test`);
    expect(await count(`contact_import_rejects where cells::text like '%amy@forms%'`)).toBe(0);
    await user.checked(open);
    await user.committed(open);
    expect(
      await user.query(`select email_norm as email from contact_profiles where owner_id = ?`, [user.user.id]),
    ).toEqual([{ email: `o'amy@forms.test` }]);
  });

  it('an unknown address is no error', async () => {
    expect(await records().erase('nobody@people.test')).toEqual({ rows: 0 });
    await expect(records().erase('not an address')).rejects.toThrow('no mail address');
  });
});

describe('data with a retention period', () => {
  it("is deleted after that period, except for a send's history entry", async () => {
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { addresses: ['old1@people.test', 'old2@people.test'] }));
    await settled(user, id);
    const [mail] = await app.mails.waitFor('old1@people.test');
    await app.http().post(linkIn(mail!, '/unsubscribe/').pathname).send('List-Unsubscribe=One-Click').expect(200);
    await app.get(Retention).purge();
    expect(await count('email_delivery_logs where history_id = ?', [id])).toBe(2);
    await rows(app.em(), `update email_history set sent_at = now() - interval '401 days' where id = ?`, [id]);
    await rows(
      app.em(),
      `update email_delivery_logs set created_at = now() - interval '401 days' where history_id = ?`,
      [id],
    );
    await rows(app.em(), `update system_mails set created_at = now() - interval '31 days'`);
    await app.get(Retention).purge();
    expect(await count('email_delivery_logs where history_id = ?', [id])).toBe(0);
    expect(await count(`system_mails where status in ('sent', 'failed')`)).toBe(0);
    expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body).toMatchObject({
      status: 'sent',
      recipientCount: '2',
      counts: { sent: 2, queued: 0, unsubscribed: 1 },
    });
    await app.get(TallyCompactor).compact();
    expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body.counts).toMatchObject({
      sent: 2,
      unsubscribed: 1,
    });
    expect((await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body).toEqual([]);
  });
});
