import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ProfileBackfill } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
let other: TestApp;
let ann: SignedUp;
let bob: SignedUp;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

beforeAll(async () => {
  ({ app, other } = await startPair());
  [ann, bob] = await Promise.all([app.user(), app.user()]);
});
afterAll(() => closeAll(other, app));

const address = (domain = 'vendor.example') => `p${randomBytes(5).toString('hex')}@${domain}`;
const newList = async (user: SignedUp): Promise<string> =>
  (await user.agent.post('/api/email-lists').send({ name: 'Java vendors' }).expect(201)).body.id as string;
const add = async (user: SignedUp, list: string, body: object) =>
  (await user.agent.post(`/api/email-lists/${list}/subscribers`).send(body).expect(201)).body as {
    id: string;
    profileId: string;
    name: string | null;
  };
const profileOf = async (email: string, owner = ann.id) =>
  (
    await query<{ id: string; first: string | null; last: string | null; domain: string | null; fields: object }>(
      `select id, first_name as first, last_name as last, company_domain as domain, company, job_title, phone_e164, fields, source, import_line
       from contact_profiles where owner_id = ? and email_norm = lower(?)`,
      [owner, email],
    )
  )[0];
const membershipsOf = (email: string) =>
  query<{ profile: string | null; domain: string | null; name: string | null }>(
    `select c.profile_id as profile, c.company_domain as domain, c.name, c.first_name as first, c.last_name as last from subscriptions c where c.email_norm = lower(?) order by c.created_at, c.id`,
    [email],
  );

async function imported(user: SignedUp, list: string, text: string): Promise<void> {
  const path = `/api/email-lists/${list}/subscribers/import`;
  const { body } = await user.agent.post(path).set('Content-Type', 'text/csv').send(text).expect(202);
  await until(async () => (await user.agent.get(`${path}/${body.id}`).expect(200)).body.status === 'done');
}

describe('the profile of a contact', () => {
  it('is one per account and address, whatever lists the address is on', async () => {
    const email = address('jobs.acme.co.uk');
    const lists = [await newList(ann), await newList(ann)];
    const first = await add(ann, lists[0]!, { email, name: 'Priya Patel' });
    const second = await add(ann, lists[1]!, { email: email.toUpperCase() });
    const foreign = await add(bob, await newList(bob), { email });
    expect(second.profileId).toBe(first.profileId);
    expect(second.name).toBe('Priya Patel');
    expect(foreign.profileId).not.toBe(first.profileId);
    expect(foreign.name).toBeNull();
    expect(await profileOf(email)).toMatchObject({
      id: first.profileId,
      first: 'Priya',
      last: 'Patel',
      domain: 'acme.co.uk',
      source: 'owner',
    });
    expect((await membershipsOf(email)).map(({ domain }) => domain)).toEqual(Array(3).fill('acme.co.uk'));
  });

  it('is one also when several lists of an account get the address concurrently', async () => {
    const email = address();
    const lists = await Promise.all(Array.from({ length: 4 }, () => newList(ann)));
    const added = await Promise.all(lists.map((list) => add(ann, list, { email })));
    expect(new Set(added.map(({ profileId }) => profileId)).size).toBe(1);
  });

  it('takes a name that is changed on one list, and all its memberships copy it', async () => {
    const email = address();
    const [one, two] = [await newList(ann), await newList(ann)];
    const contact = await add(ann, one, { email, name: 'Sam Old' });
    await add(ann, two, { email });
    await ann.agent.patch(`/api/email-lists/${one}/subscribers/${contact.id}`).send({ name: 'Samuel New' }).expect(200);
    expect(await profileOf(email)).toMatchObject({ first: 'Samuel', last: 'New' });
    expect((await membershipsOf(email)).map(({ name }) => name)).toEqual(['Samuel New', 'Samuel New']);
  });

  it('is another one after the address of one membership changed', async () => {
    const [email, moved] = [address(), address()];
    const [one, two] = [await newList(ann), await newList(ann)];
    const contact = await add(ann, one, { email, name: 'Sam Walker' });
    await add(ann, two, { email });
    const { body } = await ann.agent
      .patch(`/api/email-lists/${one}/subscribers/${contact.id}`)
      .send({ email: moved })
      .expect(200);
    expect(body.profileId).not.toBe(contact.profileId);
    expect(await profileOf(moved)).toMatchObject({ id: body.profileId, first: 'Sam', last: 'Walker' });
    expect(await membershipsOf(email)).toMatchObject([{ profile: contact.profileId }]);
  });

  it('is filled by an import: names, personal fields by their headers, and further columns as text fields', async () => {
    const [known, fresh] = [address(), address('gmail.com')];
    await add(ann, await newList(ann), { email: known, name: 'Kim Known' });
    await imported(
      ann,
      await newList(ann),
      `Email,Name,Company,Job Title,Phone,Visa status,Country\n${known},K. Other,Acme,Lead,(512) 555-0142,H1B,US\n${fresh},Fay Fresh,,,,,\n`,
    );
    expect(await profileOf(known)).toMatchObject({
      first: 'Kim',
      last: 'Known',
      company: 'Acme',
      job_title: 'Lead',
      phone_e164: '+15125550142',
      fields: { visa_status: 'H1B' },
    });
    expect((await membershipsOf(known)).map(({ name }) => name)).toEqual(['Kim Known', 'Kim Known']);
    expect(await profileOf(fresh)).toMatchObject({ first: 'Fay', domain: null, source: 'import', import_line: 3 });
    expect(
      await query(`select key, label, type from profile_fields where owner_id = ? order by position`, [ann.id]),
    ).toEqual([{ key: 'visa_status', label: 'Visa status', type: 'text' }]);
  });

  it('is created by the public form, and stays when its contacts are removed; an undo finds it again', async () => {
    const email = address();
    const list = await newList(ann);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email, subscriptionType: 'job-posts', emailListId: list })
      .expect((answer) => expect(answer.status).toBeLessThan(300));
    const profile = await profileOf(email);
    expect(profile).toMatchObject({ source: 'public' });
    const [contact] = await query<{ id: string }>(`select id from subscriptions where email_list_id = ?`, [list]);
    const path = `/api/email-lists/${list}/subscribers/${contact!.id}`;
    await ann.agent.delete(path).expect(204);
    expect(await profileOf(email)).toMatchObject({ id: profile!.id });
    await query(`delete from contact_profiles where id = ?`, [profile!.id]);
    const { body } = await ann.agent.post(`${path}/restore`).expect(200);
    expect(await profileOf(email)).toMatchObject({ id: body.profileId });
  });

  it('does not exist for members of the network', async () => {
    const admin = await app.user({ admin: true });
    const [network] = await query<{ id: string }>(`select id from email_lists where is_default`);
    const email = address();
    expect((await add(admin, network!.id, { email })).profileId).toBeNull();
    expect(await query(`select 1 from contact_profiles where email_norm = ?`, [email])).toEqual([]);
  });
});

describe('the backfill', () => {
  const old = (list: string, count: number, tag: string) =>
    query(
      `insert into subscriptions (email, email_norm, email_hash, name, attributes, subscription_type, unsubscribe_token, email_list_id, opt_in_state)
       select e, e, sha256(e::bytea), 'Lee, Ann', jsonb_build_object('Company', 'Acme', 'Rate', '80'), 'job-posts', ?::text || ?::text || n, ?, 'none'
       from (select n, ? || n || '@old.example' as e from generate_series(1, ?::int) n) x`,
      [tag, list, list, tag, count],
    );
  const open = async (user: SignedUp) =>
    (
      await query<{ n: number }>(
        `select count(*)::int as n from subscriptions c join email_lists l on l.id = c.email_list_id where l.owner_id = ? and c.profile_id is null`,
        [user.id],
      )
    )[0]!.n;

  it('gives each older contact its profile once, with two concurrent workers of which one dies', async () => {
    const cid = await app.user();
    const lists = [await newList(cid), await newList(cid)];
    await old(lists[0]!, 12_000, 'x');
    await old(lists[1]!, 500, 'x');
    const [first, second] = [app.get(ProfileBackfill), other.get(ProfileBackfill)];
    await first.reopenForUnlinkedContacts();
    expect(await query(`select done, total from contact_preparations where owner_id = ?`, [cid.id])).toEqual([
      { done: 0, total: 12_500 },
    ]);
    const drain = async (job: ProfileBackfill) => {
      while (await job.batch());
    };
    await Promise.all([drain(first), drain(second)]);
    await until(async () => (await open(cid)) === 0);
    await until(
      async () =>
        (await query(`select 1 from contact_preparations where owner_id = ? and finished_at is not null`, [cid.id]))
          .length === 1,
    );
    expect(
      await query(
        `select count(*)::int as people, count(distinct email_hash)::int as addresses, min(company) as company, min(first_name) as first, min(fields ->> 'rate') as rate from contact_profiles where owner_id = ?`,
        [cid.id],
      ),
    ).toEqual([{ people: 12_000, addresses: 12_000, company: 'Acme', first: 'Ann', rate: '80' }]);
    expect(await query(`select done, total from contact_preparations where owner_id = ?`, [cid.id])).toEqual([
      { done: 12_500, total: 12_500 },
    ]);
  });

  it('creates at most a hundred fields, of the most frequent labels', async () => {
    const cid = await app.user();
    const list = await newList(cid);
    await old(list, 3, 'y');
    await query(
      `update subscriptions set attributes = (select jsonb_object_agg('Col ' || n, 'v') from generate_series(1, 120) n where n > 60 or email_norm like 'y1@%') where email_list_id = ?`,
      [list],
    );
    await query(
      `insert into contact_fields (email_list_id, label) select ?, 'Col ' || n from generate_series(1, 120) n`,
      [list],
    );
    const job = app.get(ProfileBackfill);
    await job.reopenForUnlinkedContacts();
    while (await job.batch());
    const fields = await query<{ label: string }>(`select label from profile_fields where owner_id = ?`, [cid.id]);
    expect(fields).toHaveLength(100);
    const labels = new Set(fields.map(({ label }) => label));
    for (let n = 61; n <= 120; n++) expect(labels).toContain(`Col ${n}`);
  });
});
