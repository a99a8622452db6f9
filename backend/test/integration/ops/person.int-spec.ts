import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { PersonRecords } from '../../../src/cli/person-records.js';
import { TallyCompactor } from '../../../src/modules/history/tally-compactor.service.js';
import { ContactRecords } from '../../../src/modules/lists/index.js';
import { InviteeRecords } from '../../../src/modules/referrals/index.js';
import { RecipientRecords } from '../../../src/modules/sending/index.js';
import { rows } from '../../../src/shared/database/rows.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { seedList, send, settled } from '../sending/support.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const records = () => new PersonRecords(app.get(EntityManager), new ContactRecords(), new RecipientRecords(), new InviteeRecords());
const count = async (sql: string, params: unknown[] = []) => Number((await rows<{ n: string }>(app.em(), `select count(*) as n from ${sql}`, params))[0]!.n);

describe('a person\'s rights over their data', () => {
  it('export tells everything, over all lists and owners; erase leaves nothing but hashes that keep the address from being mailed', async () => {
    const [ann, bob] = [await app.user(), await app.user()];
    const lists = [await seedList(app, ann, { addresses: ['Eve@people.test', 'other@people.test'] }), await seedList(app, bob, { addresses: ['eve@people.test'] })];
    for (const [at, user] of [ann, bob].entries()) await settled(user, await send(user, lists[at]!));
    const [mail] = await app.mails.waitFor('eve@people.test');
    const link = linkIn(mail!, '/unsubscribe/');
    const before = await records().export('EVE@people.test');
    expect(before).toMatchObject({ address: 'eve@people.test' });
    expect(before.contacts).toHaveLength(2);
    expect(before.messages).toHaveLength(2);

    await app.http().post(link.pathname).send('List-Unsubscribe=One-Click').expect(200);
    expect((await records().erase('eve@people.test')).rows).toBeGreaterThan(3);

    const after = await records().export('eve@people.test');
    expect(after.contacts).toEqual([]);
    expect(after.messages).toEqual([]);
    expect(after.suppressions).toHaveLength(1);
    for (const { name } of await rows<{ name: string }>(app.em(), `select tablename as name from pg_tables where schemaname = 'public'`)) {
      expect([name, await count(`${name} t where t::text ilike '%eve@people.test%'`)]).toEqual([name, 0]);
    }
    await app.http().post(link.pathname).send('List-Unsubscribe=One-Click').expect(200);
    const again = (owner: typeof ann, at: number) => owner.agent.post(`/api/email-lists/${lists[at]!.id}/subscribers`).send({ email: 'eve@people.test' });
    const refused = [await again(ann, 0), await again(bob, 1)].filter(({ body }) => body.code === 'suppressed');
    expect(refused).toHaveLength(1);
    expect(await count(`email_delivery_logs where recipient_email = 'other@people.test'`)).toBe(1);
  });

  it('an address nobody knows is no error', async () => {
    expect(await records().erase('nobody@people.test')).toEqual({ rows: 0 });
    await expect(records().erase('not an address')).rejects.toThrow('no mail address');
  });
});

describe('what is kept for a time', () => {
  it('goes when it is older, and a send\'s entry stays', async () => {
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { addresses: ['old1@people.test', 'old2@people.test'] }));
    await settled(user, id);
    const [mail] = await app.mails.waitFor('old1@people.test');
    await app.http().post(linkIn(mail!, '/unsubscribe/').pathname).send('List-Unsubscribe=One-Click').expect(200);
    await app.get(Retention).purge();
    expect(await count('email_delivery_logs where history_id = ?', [id])).toBe(2);
    await rows(app.em(), `update email_history set sent_at = now() - interval '401 days' where id = ?`, [id]);
    await rows(app.em(), `update email_delivery_logs set created_at = now() - interval '401 days' where history_id = ?`, [id]);
    await rows(app.em(), `update system_mails set created_at = now() - interval '31 days'`);
    await app.get(Retention).purge();
    expect(await count('email_delivery_logs where history_id = ?', [id])).toBe(0);
    expect(await count(`system_mails where status in ('sent', 'failed')`)).toBe(0);
    expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body).toMatchObject({ status: 'sent', recipientCount: '2', counts: { sent: 2, queued: 0, unsubscribed: 1 } });
    await app.get(TallyCompactor).compact();
    expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body.counts).toMatchObject({ sent: 2, unsubscribed: 1 });
    expect((await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body).toEqual([]);
  });
});
