import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lockRewrite } from '../../../src/modules/contacts/profiles/rewrite-lock.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { address, addTo, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = await Promise.all([app.user(), app.user()]);
});
afterAll(() => app.close());

describe('a contact', () => {
  it('is added once, with its lists, also by concurrent calls', async () => {
    const list = await newList(ann);
    const email = address('mail.acme.co.uk');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        ann.agent.post('/api/contacts').send({ email, firstName: 'Priya', lastName: 'Patel', listIds: [list] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { body } = answers.find(({ status }) => status === 201)!;
    expect(body).toEqual({
      id: expect.any(String),
      email,
      firstName: 'Priya',
      lastName: 'Patel',
      company: null,
      companyDomain: 'acme.co.uk',
      jobTitle: null,
      phone: null,
      phoneE164: null,
      city: null,
      region: null,
      country: null,
      timeZone: null,
      skills: [],
      tags: [],
      fields: {},
      listIds: [list],
      consent: 'pending',
      lastMailedAt: null,
      createdAt: expect.any(String),
      lists: [
        {
          id: list,
          name: 'Java vendors',
          membershipId: expect.any(String),
          status: 'pending',
          subscriptionType: 'job-posts',
        },
      ],
      leftAt: null,
      interests: null,
      doNotSend: null,
    });
    const refused = answers.find(({ status }) => status === 409)!.body;
    expect(refused).toMatchObject({ code: 'contact_exists', details: { id: body.id } });
    expect(
      await sql(`select name, first_name, opt_in_state, profile_id from subscriptions where email_list_id = ?`, [list]),
    ).toEqual([{ name: 'Priya Patel', first_name: 'Priya', opt_in_state: 'due', profile_id: body.id }]);
  });

  it('is refused with an address that has unsubscribed', async () => {
    const email = address();
    await sql(
      `insert into suppressions (scope, owner_id, reason, address_hash, address_norm) values ('owner', ?, 'unsubscribed', sha256(?::bytea), ?)`,
      [ann.id, email, email],
    );
    const { body } = await ann.agent.post('/api/contacts').send({ email }).expect(409);
    expect(body.code).toBe('suppressed');
    await ann.agent.post('/api/contacts').send({ email: 'x' }).expect(400);
  });

  it('shows when the person unsubscribed', async () => {
    const { id, email } = await newContact(ann, { listIds: [await newList(ann)] });
    expect((await ann.agent.get(`/api/contacts/${id}`).expect(200)).body.leftAt).toBeNull();
    await sql(
      `insert into suppressions (scope, owner_id, reason, address_hash, address_norm, created_at)
       values ('owner', ?, 'unsubscribed', sha256(?::bytea), ?, '2026-11-03T15:00:00Z'), ('owner', ?, 'unsubscribed', sha256(?::bytea), ?, now())`,
      [ann.id, email, email, bob.id, email, email],
    );
    await sql(
      `update subscriptions set suppressed = 'unsubscribed', unsubscribed_at = '2026-11-02T15:00:00Z' where profile_id = ?`,
      [id],
    );
    expect((await ann.agent.get(`/api/contacts/${id}`).expect(200)).body).toMatchObject({
      consent: 'left',
      leftAt: '2026-11-03T15:00:00.000Z',
    });
  });

  it('copies a changed name to all memberships, as text, and refuses hostile names', async () => {
    const [one, two] = [await newList(ann), await newList(ann)];
    const { id } = await newContact(ann, { listIds: [one, two] });
    const { body } = await ann.agent
      .patch(`/api/contacts/${id}`)
      .send({ firstName: '<script>alert(1)</script>', lastName: 'Lee', jobTitle: 'Lead' })
      .expect(200);
    expect(body).toMatchObject({ firstName: '<script>alert(1)</script>', lastName: 'Lee', jobTitle: 'Lead' });
    expect(await sql(`select distinct name, last_name from subscriptions where profile_id = ?`, [id])).toEqual([
      { name: '<script>alert(1)</script> Lee', last_name: 'Lee' },
    ]);
    for (const bad of ['a\u202eb', 'a\r\nBcc: x@y.example', 'a\0b'])
      await ann.agent.patch(`/api/contacts/${id}`).send({ firstName: bad }).expect(400);
    await ann.agent.patch(`/api/contacts/${id}`).send({ firstName: null, lastName: '' }).expect(200);
    expect(await sql(`select distinct name, first_name from subscriptions where profile_id = ?`, [id])).toEqual([
      { name: null, first_name: null },
    ]);
    await ann.agent.patch(`/api/contacts/${id}`).send({ nickname: 'x' }).expect(400);
  });

  it('keeps a phone number as typed, adds its E.164 form where it can be parsed, and refuses unknown countries and time zones', async () => {
    const { id } = await newContact(ann, { phone: '(512) 555-0142', country: 'us', timeZone: 'America/Chicago' });
    const path = `/api/contacts/${id}`;
    expect((await ann.agent.get(path).expect(200)).body).toMatchObject({
      phone: '(512) 555-0142',
      phoneE164: '+15125550142',
      country: 'US',
      timeZone: 'America/Chicago',
    });
    expect((await ann.agent.patch(path).send({ phone: 'ask Bob' }).expect(200)).body).toMatchObject({
      phone: 'ask Bob',
      phoneE164: null,
    });
    expect(
      (await ann.agent.patch(path).send({ phone: '020 7946 0958', country: 'GB' }).expect(200)).body.phoneE164,
    ).toBe('+442079460958');
    await ann.agent.patch(path).send({ country: 'ZZ' }).expect(400);
    await ann.agent.patch(path).send({ timeZone: 'Mars/Olympus' }).expect(400);
  });

  it('changes its address on all lists at once: it is pending again with new links, and the old links still work', async () => {
    const [email, moved] = [address(), address()];
    const lists = [await newList(ann), await newList(ann)];
    const { id } = await newContact(ann, { email, listIds: lists });
    const other = await newContact(ann);
    await sql(`update subscriptions set confirmed = true, confirmed_at = now() where profile_id = ?`, [id]);
    const links = await sql<{ unsubscribe_token: string }>(
      `select unsubscribe_token from subscriptions where profile_id = ?`,
      [id],
    );
    const taken = await ann.agent.post(`/api/contacts/${id}/address`).send({ email: other.email }).expect(409);
    expect(taken.body).toMatchObject({ code: 'contact_exists', details: { id: other.id } });
    const { body } = await ann.agent.post(`/api/contacts/${id}/address`).send({ email: moved }).expect(200);
    expect(body).toMatchObject({ id, email: moved, consent: 'pending' });
    const after = await sql<{ unsubscribe_token: string; email_norm: string; confirmed: boolean }>(
      `select unsubscribe_token, email_norm, confirmed from subscriptions where profile_id = ?`,
      [id],
    );
    expect(after.map(({ email_norm, confirmed }) => [email_norm, confirmed])).toEqual([
      [moved, false],
      [moved, false],
    ]);
    for (const { unsubscribe_token: token } of links) {
      expect(after.map((row) => row.unsubscribe_token)).not.toContain(token);
      expect(await sql(`select email_norm from retired_unsubscribe_links where token = ?`, [token])).toEqual([
        { email_norm: email },
      ]);
    }
    const timeline = (await ann.agent.get(`/api/contacts/${id}/timeline`).expect(200)).body as { title: string }[];
    expect(timeline.map(({ title }) => title)).toContain(`Address changed, was ${email}`);
  });

  it('stays when its list is deleted, and is deleted with its memberships and notes', async () => {
    const list = await newList(ann);
    const { id } = await newContact(ann, { listIds: [list] });
    await ann.agent.post(`/api/contacts/${id}/notes`).send({ body: 'Call on\nTuesdays' }).expect(201);
    const [{ unsubscribe_token: token }] = (await sql<{ unsubscribe_token: string }>(
      `select unsubscribe_token from subscriptions where profile_id = ?`,
      [id],
    )) as [{ unsubscribe_token: string }];
    await ann.agent.delete(`/api/email-lists/${list}`).expect(204);
    expect((await ann.agent.get(`/api/contacts/${id}`).expect(200)).body).toMatchObject({ lists: [], consent: 'none' });
    await ann.agent.delete(`/api/contacts/${id}`).expect(204);
    await ann.agent.delete(`/api/contacts/${id}`).expect(404);
    expect(
      await sql(
        `select 1 from subscriptions where profile_id = ? union all select 1 from contact_notes where profile_id = ?`,
        [id, id],
      ),
    ).toEqual([]);
    expect(await sql(`select 1 as kept from retired_unsubscribe_links where token = ?`, [token])).toEqual([
      { kept: 1 },
    ]);
  });

  it('of another account answers 404 in every call', async () => {
    const { id } = await newContact(bob);
    const note = (await bob.agent.post(`/api/contacts/${id}/notes`).send({ body: 'Mine' }).expect(201)).body;
    const field = (await bob.agent.post('/api/contact-fields').send({ label: 'Tier', type: 'text' }).expect(201)).body;
    const tag = (await bob.agent.post('/api/contact-tags').send({ name: 'Java' }).expect(201)).body;
    const list = await newList(bob);
    const path = `/api/contacts/${id}`;
    const own = await newContact(ann);
    const calls = [
      ann.agent.get(path),
      ann.agent.patch(path).send({ city: 'Austin' }),
      ann.agent.delete(path),
      ann.agent.post(`${path}/address`).send({ email: address() }),
      ann.agent.get(`${path}/timeline`),
      ann.agent.get(`${path}/evidence`),
      ann.agent.post(`${path}/notes`).send({ body: 'x' }),
      ann.agent.delete(`${path}/notes/${note.id}`),
      ann.agent.delete(`/api/contacts/${own.id}/notes/${note.id}`),
      ann.agent.patch(`/api/contact-fields/${field.id}`).send({ label: 'x' }),
      ann.agent.delete(`/api/contact-fields/${field.id}`),
      ann.agent.get(`/api/contact-fields/${field.id}/usage`),
      ann.agent.patch(`/api/contact-tags/${tag.id}`).send({ name: 'x' }),
      ann.agent.delete(`/api/contact-tags/${tag.id}`),
      ann.agent.get(`/api/contact-tags/${tag.id}/usage`),
      ann.agent.get(`/api/contacts?list=${list}`),
      ann.agent.get(`/api/contacts?tag=${tag.id}`),
      ann.agent.post('/api/contacts').send({ email: address(), listIds: [list] }),
      ann.agent.patch(`/api/contacts/${own.id}`).send({ tags: [tag.id] }),
      ann.agent.get('/api/contacts/nonsense'),
      ann.agent.delete('/api/contact-tags/x'),
    ];
    for (const answer of await Promise.all(calls))
      expect([answer.request.url, answer.status]).toEqual([answer.request.url, 404]);
    expect((await bob.agent.get(path).expect(200)).body.city).toBeNull();
    await ann.agent
      .patch(`/api/contacts/${own.id}`)
      .send({ fields: { tier: 'A' } })
      .expect(400);
  });

  it('answers 404 for an unknown tag, and 409 for a known one, while another tag is being removed from all contacts', async () => {
    const theirs = (await bob.agent.post('/api/contact-tags').send({ name: 'Perl' }).expect(201)).body;
    const own = (await ann.agent.post('/api/contact-tags').send({ name: 'Perl' }).expect(201)).body;
    const field = (await bob.agent.post('/api/contact-fields').send({ label: 'Rank', type: 'text' }).expect(201)).body;
    await app.em().transactional(async (em) => {
      await lockRewrite(em, ann.id);
      await ann.agent.delete(`/api/contact-tags/${theirs.id}`).expect(404);
      await ann.agent.delete(`/api/contact-fields/${field.id}`).expect(404);
      await ann.agent.delete(`/api/contact-tags/${own.id}`).expect(409);
    });
    await ann.agent.delete(`/api/contact-tags/${own.id}`).expect(204);
  });
});

describe('a contact on a list that the backfill has not reached', () => {
  /** A person on two lists. One of the memberships has no profile yet, like those that an earlier version wrote. */
  async function onTwoLists() {
    const email = address();
    const [first, second] = [await newList(ann), await newList(ann, 'Bench partners')];
    const { profileId } = await addTo(ann, first, { email, subscriptionType: 'job-posts' });
    const { id } = await addTo(ann, second, { email, subscriptionType: 'job-posts' });
    await sql(
      `update subscriptions set profile_id = null, company_domain = null, confirmed = true, confirmed_at = now() where id = ?`,
      [id],
    );
    return { email, profileId };
  }
  const onLists = (email: string) =>
    sql<{ confirmed: boolean; first: string | null }>(
      `select confirmed, first_name as first from subscriptions where email_norm = ?`,
      [email],
    );

  it('is deleted from that list too', async () => {
    const { email, profileId } = await onTwoLists();
    await ann.agent.delete(`/api/contacts/${profileId}`).expect(204);
    expect(await onLists(email)).toEqual([]);
  });

  it('gets a new address, and has to confirm again, on that list too', async () => {
    const { email, profileId } = await onTwoLists();
    const next = address();
    await ann.agent.post(`/api/contacts/${profileId}/address`).send({ email: next }).expect(200);
    expect(await onLists(email)).toEqual([]);
    expect((await onLists(next)).map(({ confirmed }) => confirmed)).toEqual([false, false]);
  });

  it('gets a new name on that list too', async () => {
    const { email, profileId } = await onTwoLists();
    await ann.agent.patch(`/api/contacts/${profileId}`).send({ firstName: 'Priya' }).expect(200);
    expect((await onLists(email)).map(({ first }) => first)).toEqual(['Priya', 'Priya']);
  });
});

it('a search of contacts refuses a tag whose id is no integer', async () => {
  await ann.agent.get('/api/contacts?tag=1e300').expect(400);
  await ann.agent.get('/api/contacts?tag=0').expect(400);
});
