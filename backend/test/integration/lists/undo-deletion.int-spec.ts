import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RemovalSweeper } from '../../../src/modules/lists/my-lists/removal-sweeper.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, sendBody, settled, startSending } from '../sending/support.js';

const sink = new SmtpSink();
let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  app = await startSending(
    {},
    { env: { SMTP_URL: await sink.listen(), FREE_LIST_LIMIT: '3', FREE_CONTACT_LIMIT: '20' } },
  );
  bob = await app.user();
});
beforeEach(async () => void (ann = await app.user({ set: { tier: 'pro', agency_name: 'Acme' } })));
afterAll(async () => {
  await app.close();
  await sink.close();
});

const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const pathOf = (list: string) => `/api/email-lists/${list}`;
const sweep = () => app.get(RemovalSweeper).sweep();

interface Contact {
  id: string;
  email: string;
  name: string | null;
  confirmed: boolean;
}

async function contactsOf(list: string): Promise<Contact[]> {
  return (await ann.agent.get(`${pathOf(list)}/subscribers`).expect(200)).body as Contact[];
}

const countOf = async (list: string): Promise<number> =>
  (await ann.agent.get(pathOf(list)).expect(200)).body.contactCount as number;
const tokenOf = async (id: string): Promise<string> =>
  (await sql<{ token: string }>('select unsubscribe_token as token from subscriptions where id = ?', [id]))[0]!.token;
const addedOf = async (owner: string): Promise<number> =>
  (
    await sql<{ n: number }>('select coalesce(sum(added), 0)::int as n from contact_trends where owner_id = ?', [owner])
  )[0]!.n;

const asked = (address: string): boolean => sink.attempts.some((attempt) => attempt.address === address);

/** Ends the period in which a deletion can be undone. */
async function later(): Promise<void> {
  await sql(`update email_lists set deleted_at = deleted_at - interval '1 minute' where deleted_at is not null`);
  await sql(`update removed_contacts set removed_at = removed_at - interval '1 minute'`);
}

describe('a contact that was removed', () => {
  it('disappears at once and is restored unchanged', async () => {
    const list = await seedList(app, ann, { count: 3 });
    const [contact] = await contactsOf(list.id);
    const [before, added] = [
      (await sql('select * from subscriptions where id = ?', [contact!.id]))[0],
      await addedOf(ann.id),
    ];
    const path = `${pathOf(list.id)}/subscribers/${contact!.id}`;
    await ann.agent.delete(path).expect(204);
    expect((await contactsOf(list.id)).map(({ id }) => id)).not.toContain(contact!.id);
    expect(await countOf(list.id)).toBe(2);
    expect((await ann.agent.get(`${pathOf(list.id)}/subscribers/export`).expect(200)).text).not.toContain(
      contact!.email,
    );
    await bob.agent.post(`${path}/restore`).expect(404);
    expect((await ann.agent.post(`${path}/restore`).expect(200)).body).toEqual(contact);
    expect((await sql('select * from subscriptions where id = ?', [contact!.id]))[0]).toEqual(before);
    expect([await countOf(list.id), await addedOf(ann.id)]).toEqual([3, added]);
    expect(await sql('select token from retired_unsubscribe_links where email_list_id = ?', [list.id])).toEqual([]);
  });

  it('is restored once for repeated calls', async () => {
    const list = await seedList(app, ann, { count: 1 });
    const [contact] = await contactsOf(list.id);
    const path = `${pathOf(list.id)}/subscribers/${contact!.id}`;
    await ann.agent.delete(path).expect(204);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ann.agent.post(`${path}/restore`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await countOf(list.id)).toBe(1);
  });

  it('is not restored where the address was added again or unsubscribed', async () => {
    const list = await seedList(app, ann, { count: 2 });
    const [first, second] = await contactsOf(list.id);
    const token = await tokenOf(second!.id);
    for (const { id } of [first!, second!]) await ann.agent.delete(`${pathOf(list.id)}/subscribers/${id}`).expect(204);
    await ann.agent
      .post(`${pathOf(list.id)}/subscribers`)
      .send({ email: first!.email })
      .expect(201);
    expect((await app.http().post(`/unsubscribe/${token}`).expect(200)).body.email).toBe(second!.email);
    expect((await ann.agent.post(`${pathOf(list.id)}/subscribers/${first!.id}/restore`).expect(409)).body.code).toBe(
      'contact_exists',
    );
    expect((await ann.agent.post(`${pathOf(list.id)}/subscribers/${second!.id}/restore`).expect(409)).body.code).toBe(
      'suppressed',
    );
    expect((await contactsOf(list.id)).map(({ email, confirmed }) => ({ email, confirmed }))).toEqual([
      { email: first!.email, confirmed: false },
    ]);
  });

  it('is deleted permanently some seconds later, with all copies', async () => {
    const list = await seedList(app, ann, { count: 1 });
    const [contact] = await contactsOf(list.id);
    const token = await tokenOf(contact!.id);
    await ann.agent.delete(`${pathOf(list.id)}/subscribers/${contact!.id}`).expect(204);
    await later();
    expect((await ann.agent.post(`${pathOf(list.id)}/subscribers/${contact!.id}/restore`).expect(410)).body.code).toBe(
      'undo_expired',
    );
    await sweep();
    expect(await sql('select id from removed_contacts where email_list_id = ?', [list.id])).toEqual([]);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
  });

  it('is not mailed by a send accepted earlier', async () => {
    const list = await seedList(app, ann, { addresses: ['stays@undo.test', 'goes@undo.test'] });
    const id = await send(ann, list);
    await settled(ann, id);
    const gone = (await contactsOf(list.id)).find(({ email }) => email === 'goes@undo.test')!;
    await ann.agent.delete(`${pathOf(list.id)}/subscribers/${gone.id}`).expect(204);
    expect((await settled(ann, await send(ann, list, { subject: 'Second' }))).counts).toMatchObject({ sent: 1 });
    await ann.agent.post(`${pathOf(list.id)}/subscribers/${gone.id}/restore`).expect(200);
    expect((await settled(ann, await send(ann, list, { subject: 'Third' }))).counts).toMatchObject({ sent: 2 });
  });
});

describe('a list that was deleted', () => {
  it('disappears everywhere at once and is restored unchanged', async () => {
    const { body: made } = await ann.agent.post('/api/email-lists').send({ name: 'Java vendors' }).expect(201);
    const list = await seedList(app, ann, { count: 2, name: 'Going' });
    const contacts = await contactsOf(list.id);
    const [{ slug }] = (await sql<{ slug: string }>('select slug from email_lists where id = ?', [list.id])) as [
      { slug: string },
    ];
    const before = (await ann.agent.get(pathOf(list.id)).expect(200)).body;
    await ann.agent.delete(pathOf(list.id)).expect(204);
    await ann.agent.delete(pathOf(list.id)).expect(404);
    for (const path of ['', '/subscribers', '/subscribers/export'])
      await ann.agent.get(`${pathOf(list.id)}${path}`).expect(404);
    for (const query of ['', '?search=going', '?sendable=true']) {
      expect(
        ((await ann.agent.get(`/api/email-lists${query}`).expect(200)).body as { id: string }[]).map(({ id }) => id),
      ).not.toContain(list.id);
    }
    await app.http().get(`/api/public/lists/${slug}`).expect(404);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email: 'v@visitor.test', subscriptionType: 'job-posts', emailListId: list.id })
      .expect(404);
    expect([400, 404]).toContain((await ann.agent.post('/api/send-email').send(sendBody(list))).status);
    expect((await ann.agent.get('/api/dashboard/stats').expect(200)).body).toMatchObject({
      totalLists: 1,
      totalContacts: 0,
    });
    const admin = await app.user({ admin: true });
    const overseen = (await admin.agent.get('/api/admin/subscriptions').expect(200)).body as { emailListId: string }[];
    expect(overseen.map(({ emailListId }) => emailListId)).not.toContain(list.id);
    await bob.agent.post(`${pathOf(list.id)}/restore`).expect(404);
    expect((await ann.agent.post(`${pathOf(list.id)}/restore`).expect(200)).body).toMatchObject({
      id: list.id,
      slug,
      contactCount: 2,
    });
    expect((await ann.agent.get(pathOf(list.id)).expect(200)).body).toEqual(before);
    expect(await contactsOf(list.id)).toEqual(contacts);
    await ann.agent.post(`${pathOf(made.id as string)}/restore`).expect(200);
  });

  it('keeps the unsubscribe links of its contacts working, before and after the restore', async () => {
    const list = await seedList(app, ann, { addresses: ['leaves@undo.test', 'remains@undo.test'] });
    const token = await tokenOf((await contactsOf(list.id)).find(({ email }) => email.startsWith('leaves'))!.id);
    await ann.agent.delete(pathOf(list.id)).expect(204);
    expect((await app.http().post(`/unsubscribe/${token}`).expect(200)).body.email).toBe('leaves@undo.test');
    await ann.agent.post(`${pathOf(list.id)}/restore`).expect(200);
    expect((await contactsOf(list.id)).map(({ email }) => email)).toEqual(['remains@undo.test']);
  });

  it('gets nothing more of a running send, also after the restore', async () => {
    sink.modes.delayMs = 250;
    const addresses = Array.from({ length: 400 }, (_, i) => `under-way${i}@x${i % 40}.test`);
    const list = await seedList(app, ann, { addresses });
    const mailed = () => sink.attempts.filter(({ address }) => address.startsWith('under-way')).length;
    const id = await send(ann, list);
    await until(() => mailed() > 0);
    await ann.agent.delete(pathOf(list.id)).expect(204);
    const before = mailed();
    const { counts } = await settled(ann, id);
    sink.modes.delayMs = 0;
    // Only messages that were already on connections when the answer was sent may still arrive.
    expect(mailed() - before).toBeLessThan(50);
    expect(counts.skipped).toBeGreaterThan(200);
    await ann.agent.post(`${pathOf(list.id)}/restore`).expect(200);
    expect(await countOf(list.id)).toBe(400);
  });

  it('holds back its confirmation mails until the restore', async () => {
    const unproven = await app.user({ verified: false });
    const { body: list } = await unproven.agent.post('/api/email-lists').send({ name: 'Waiting' }).expect(201);
    await unproven.agent
      .post(`${pathOf(list.id as string)}/subscribers`)
      .send({ email: 'asked@undo.test' })
      .expect(201);
    await unproven.agent.delete(pathOf(list.id as string)).expect(204);
    await sql('update auth_credentials set is_verified = true, verified_at = now() where user_id = ?', [unproven.id]);
    const other = await seedList(app, bob, { count: 0, name: 'Beside' });
    await bob.agent
      .post(`${pathOf(other.id)}/subscribers`)
      .send({ email: 'beside@undo.test' })
      .expect(201);
    await until(() => asked('beside@undo.test'));
    expect(asked('asked@undo.test')).toBe(false);
    await unproven.agent.post(`${pathOf(list.id as string)}/restore`).expect(200);
    await until(() => asked('asked@undo.test'));
  });

  it('is deleted permanently some seconds later; a restore is then refused', async () => {
    const [late, waits] = [await seedList(app, ann, { count: 2 }), await seedList(app, ann, { count: 1 })];
    const token = await tokenOf((await contactsOf(late.id))[0]!.id);
    await ann.agent.delete(pathOf(late.id)).expect(204);
    await later();
    await ann.agent.delete(pathOf(waits.id)).expect(204);
    expect((await ann.agent.post(`${pathOf(late.id)}/restore`).expect(410)).body.code).toBe('undo_expired');
    await Promise.all([sweep(), ann.agent.post(`${pathOf(late.id)}/restore`), sweep()]);
    await sweep();
    expect(
      (await sql<{ id: string }>('select id from email_lists where id in (?, ?)', [late.id, waits.id])).map(
        ({ id }) => id,
      ),
    ).toEqual([waits.id]);
    await ann.agent.post(`${pathOf(late.id)}/restore`).expect(404);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
  });

  it("is not restored beyond the plan's limit", async () => {
    const free = await app.user();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await free.agent.post('/api/email-lists').send({ name }).expect(201)).body.id as string);
    await free.agent.delete(pathOf(ids[0]!)).expect(204);
    await free.agent.post('/api/email-lists').send({ name: 'd' }).expect(201);
    expect((await free.agent.post(`${pathOf(ids[0]!)}/restore`).expect(403)).body.code).toBe('plan_limit');
  });
});
