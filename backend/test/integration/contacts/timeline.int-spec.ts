import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';
import { newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let ann: SignedUp;
const sql = sqlOf(() => app);
interface Entry {
  at: string;
  kind: string;
  title: string;
  detail: Record<string, unknown> | null;
  sendId?: string;
}

beforeAll(async () => {
  app = await startApp();
  ann = await app.user();
});
afterAll(() => app.close());

async function pages(id: string, query = ''): Promise<{ entries: Entry[]; pages: number }> {
  const entries: Entry[] = [];
  let count = 0;
  for (let path: string | undefined = `/api/contacts/${id}/timeline${query}`; path; count++) {
    const answer: { body: Entry[]; headers: Record<string, string> } = await ann.agent.get(path).expect(200);
    entries.push(...answer.body);
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
  }
  return { entries, pages: count };
}

/** Number of delivery log rows read so far. PostgreSQL's counter may be up to a second old. */
const rowsRead = async (): Promise<number> =>
  Number(
    (
      await sql<{ n: string }>(
        `select coalesce(idx_tup_fetch, 0) + seq_tup_read as n from pg_stat_user_tables where relname = 'email_delivery_logs'`,
      )
    )[0]!.n,
  );

describe("a person's timeline", () => {
  it('shows messages, consent and notes, newest first, and each kind alone', async () => {
    const list = await seedList(app, ann, { addresses: ['eve@people.test'] });
    await settled(ann, await send(ann, list));
    await sql(`insert into contact_preparations (owner_id, total) values (?, 1) on conflict do nothing`, [ann.id]);
    const { ProfileBackfill } = await import('../../../src/modules/lists/index.js');
    while (await app.get(ProfileBackfill).batch());
    const [{ id }] = (await ann.agent.get('/api/contacts?limit=1&search=eve@people').expect(200)).body as [
      { id: string },
    ];
    await ann.agent.post(`/api/contacts/${id}/notes`).send({ body: 'Wants rates first' }).expect(201);
    const { entries } = await pages(id);
    expect(entries[0]).toMatchObject({ kind: 'notes', title: 'Note', detail: { body: 'Wants rates first' } });
    const message = entries.find(({ kind }) => kind === 'messages')!;
    expect(message).toMatchObject({
      title: expect.stringMatching(/^Sent "/),
      sendId: expect.any(String),
      detail: { status: 'sent', subject: expect.any(String) },
    });
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect((await pages(id, '?kind=messages')).entries).toEqual([message]);
    expect((await pages(id, '?kind=replies')).entries).toEqual([]);
    await ann.agent.get(`/api/contacts/${id}/timeline?kind=x`).expect(400);
    await ann.agent.get(`/api/contacts/${id}/timeline?cursor=x`).expect(400);

    // The address of the membership changes to that of another person, to whom nothing was sent yet.
    await sql(
      `insert into consent_events (address_hash, address_norm, contact_id, email_list_id, owner_id, kind, how)
       select c.email_hash, c.email_norm, c.id, c.email_list_id, ?::uuid, 'requested', 'owner' from subscriptions c where c.profile_id = ?`,
      [ann.id, id],
    );
    const { lists } = (await ann.agent.get(`/api/contacts/${id}`).expect(200)).body;
    const moved = await ann.agent
      .patch(`/api/email-lists/${list.id}/subscribers/${lists[0].membershipId}`)
      .send({ email: 'other@people.test' })
      .expect(200);
    const titles = (await pages(moved.body.profileId)).entries.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['Added by hand', expect.stringMatching(/^Added to "/)]));
    expect(titles.filter((title) => title.startsWith('Sent'))).toEqual([]);
    expect((await pages(id, '?kind=messages')).entries).toEqual([message]);
  });

  it('of 10,000 messages is read page by page, each entry once', async () => {
    const list = await newList(ann);
    const { id, email, lists } = await newContact(ann, { listIds: [list] });
    const [history] = await sql<{ id: string }>(`select id from email_history where user_id = ? limit 1`, [ann.id]);
    await sql(
      `insert into email_delivery_logs (history_id, user_id, email_list_id, contact_id, recipient_email, subject, status, position, sent_at)
       select ?, ?, ?, ?, ?, 'Message ' || n, 'sent', 1000 + n, timestamptz '2026-01-01' + make_interval(mins => n / 3) from generate_series(1, 10000) n`,
      [history!.id, ann.id, list, lists[0].membershipId, email],
    );
    await sql('analyze email_delivery_logs');
    const before = await rowsRead();
    const told = await pages(id);
    const messages = told.entries.filter(({ kind }) => kind === 'messages');
    expect(messages).toHaveLength(10_000);
    expect(new Set(messages.map(({ title }) => title)).size).toBe(10_000);
    const read = (await rowsRead()) - before;
    console.log(`timeline of 10,000 messages: ${read} rows read for ${told.pages} pages`);
    // Reading all messages for each page would read two million rows.
    expect(read).toBeLessThan(200_000);
  });

  it('shows why a message bounced, who complained, the line of an import, and the statement of an attested import', async () => {
    const list = await newList(ann);
    const { id, email, lists } = await newContact(ann, { listIds: [list] });
    const [history] = await sql<{ id: string }>(`select id from email_history where user_id = ? limit 1`, [ann.id]);
    await sql(
      `insert into email_delivery_logs (history_id, user_id, email_list_id, contact_id, recipient_email, subject, status, position, sent_at, metadata)
       select ?, ?, ?, ?, ?, 'Java hotlist', s.status, 20000 + s.n, now(), s.metadata::jsonb
       from (values (1, 'bounced', '{"reason":"The mailbox does not exist"}'), (2, 'complained', null), (3, 'failed', null)) s(n, status, metadata)`,
      [history!.id, ann.id, list, lists[0].membershipId, email],
    );
    const [made] = await sql<{ id: string }>(
      `insert into contact_imports (email_list_id, user_id, subscription_type, file_name) values (?, ?, 'job-posts', 'vendors.xlsx') returning id`,
      [list, ann.id],
    );
    await sql(`update subscriptions set source = 'import', import_id = ? where id = ?`, [
      made!.id,
      lists[0].membershipId,
    ]);
    await sql(`update contact_profiles set import_id = ?, import_line = 212 where id = ?`, [made!.id, id]);
    await sql(
      `insert into consent_events (address_hash, address_norm, email_list_id, owner_id, kind, how, details)
       select email_hash, email_norm, ?, owner_id, 'attested', 'attestation', '{"attestation":"Signed up at\\n our fair"}' from contact_profiles where id = ?`,
      [list, id],
    );
    const { entries } = await pages(id);
    const titles = entries.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining([
        'Bounced: the mailbox does not exist',
        'Reported as spam',
        'Could not be delivered "Java hotlist"',
        'Imported from "vendors.xlsx", line 212, into "Java vendors"',
        'Confirmed by an admin on your statement: "Signed up at our fair"',
      ]),
    );
    expect(entries.find(({ title }) => title === 'Reported as spam')!.detail).toMatchObject({
      subject: 'Java hotlist',
    });
  });

  it('and the evidence equal what was recorded', async () => {
    const list = await newList(ann);
    const { email, id } = await newContact(ann);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email, subscriptionType: 'job-posts', emailListId: list })
      .set('User-Agent', 'Test browser');
    const recorded = await sql<{ id: string; ip: string; wording: string }>(
      `select id, ip, wording_version as wording from consent_events where address_norm = ? and owner_id = ?`,
      [email, ann.id],
    );
    const answer = await ann.agent.get(`/api/contacts/${id}/evidence`).expect(200);
    expect(answer.headers['content-disposition']).toContain('attachment');
    expect(answer.body.consentEvents).toHaveLength(1);
    expect(answer.body.consentEvents[0]).toMatchObject({
      id: recorded[0]!.id,
      ip: recorded[0]!.ip,
      wordingVersion: recorded[0]!.wording,
      kind: 'requested',
      userAgent: 'Test browser',
    });
    expect((await pages(id)).entries.map(({ title }) => title)).toContain(
      'Asked to join "Java vendors" on your public page',
    );
  });
});
