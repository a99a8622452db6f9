import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, sendBody, settled, startSending } from '../sending/support.js';
import { newContact, sqlOf } from './support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
let ann: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startSending();
  ann = await app.user();
});
afterAll(() => app.close());

const newField = async (body: object) => (await ann.agent.post('/api/contact-fields').send(body).expect(201)).body;

describe('fields of contacts', () => {
  it("have a fixed key and a type; a value of another type is refused with the field's label", async () => {
    await newField({ label: 'Visa status', type: 'choice', options: ['H1B', 'GC'] });
    await newField({ label: 'Rate', type: 'number' });
    await newField({ label: 'Since', type: 'date' });
    await newField({ label: 'Site', key: 'site', type: 'url' });
    await newField({ label: 'Tax terms', type: 'choices', options: ['C2C', 'W2'] });
    await newField({ label: 'Remote', type: 'yes_no' });
    await newField({ label: 'Remark', type: 'text' });
    const { id } = await newContact(ann);
    const put = (fields: unknown) => ann.agent.patch(`/api/contacts/${id}`).send({ fields } as object);
    const values = {
      visa_status: 'H1B',
      rate: 80.5,
      since: '2026-02-28',
      site: 'https://x.example/a?b',
      tax_terms: ['W2'],
      remote: false,
      remark: 'a\nb',
    };
    expect((await put(values).expect(200)).body.fields).toEqual(values);
    expect((await put({ rate: null, remark: '' }).expect(200)).body.fields).toEqual({
      visa_status: 'H1B',
      since: '2026-02-28',
      site: 'https://x.example/a?b',
      tax_terms: ['W2'],
      remote: false,
    });
    const refused = await put({ visa_status: 'OPT' }).expect(400);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      message: 'Visa status must be one of its options',
    });
    for (const bad of [
      { rate: '1e400' },
      { rate: 1234567890123456 },
      { since: '2026-02-30' },
      { site: 'http://x.example' },
      { site: 'javascript:alert(1)' },
      { tax_terms: ['1099'] },
      { remote: 'yes' },
      { remark: 'x'.repeat(1001) },
      { nobody: 1 },
      { constructor: 1 },
      [],
      'x',
      5,
    ])
      expect([bad, (await put(bad)).status]).toEqual([bad, 400]);
    const raw = await ann.agent
      .patch(`/api/contacts/${id}`)
      .set('Content-Type', 'application/json')
      .send('{"fields":{"__proto__":{"rate":1}}}');
    expect(raw.status).toBe(400);
    expect((await ann.agent.get(`/api/contacts/${id}`)).body.fields.visa_status).toBe('H1B');
  });

  it('are added once per key, ordered, converted to text, and deleted with their values', async () => {
    await ann.agent.post('/api/contact-fields').send({ label: 'Rate', type: 'text' }).expect(409);
    for (const key of ['company', '1st', 'Größe', '__proto__', 'a'.repeat(41)])
      expect([
        key,
        (await ann.agent.post('/api/contact-fields').send({ label: 'X', key, type: 'text' })).status,
      ]).toEqual([key, 400]);
    await ann.agent.post('/api/contact-fields').send({ label: 'X', type: 'choice' }).expect(400);
    const tier = await newField({ label: 'Company', type: 'number' });
    expect(tier.key).toBe('company_2');
    const { id } = await newContact(ann, { fields: { company_2: 3, tax_terms: ['C2C', 'W2'] } });
    expect((await ann.agent.get(`/api/contact-fields/${tier.id}/usage`).expect(200)).body).toEqual({ contacts: 1 });
    await ann.agent.patch(`/api/contact-fields/${tier.id}`).send({ type: 'date' }).expect(400);
    const changed = (
      await ann.agent
        .patch(`/api/contact-fields/${tier.id}`)
        .send({ type: 'text', label: 'Tier', position: 1 })
        .expect(200)
    ).body;
    expect(changed).toMatchObject({ key: 'company_2', label: 'Tier', type: 'text', position: 1 });
    const all = (await ann.agent.get('/api/contact-fields').expect(200)).body as { id: string; position: number }[];
    expect([all[0]!.id, all.map(({ position }) => position)]).toEqual([tier.id, all.map((_one, at) => at + 1)]);
    const terms = (all as unknown as { id: string; key: string }[]).find(({ key }) => key === 'tax_terms')!;
    await ann.agent.patch(`/api/contact-fields/${terms.id}`).send({ type: 'text' }).expect(200);
    expect((await ann.agent.get(`/api/contacts/${id}`)).body.fields).toEqual({ company_2: '3', tax_terms: 'C2C, W2' });
    await ann.agent.delete(`/api/contact-fields/${tier.id}`).expect(204);
    expect((await ann.agent.get(`/api/contacts/${id}`)).body.fields).toEqual({ tax_terms: 'C2C, W2' });
    expect(await sql(`select 1 from profile_fields where id = ?`, [tier.id])).toEqual([]);
  });

  it('are limited to a hundred, also when they are added concurrently', async () => {
    const cid = await app.user();
    await sql(
      `insert into profile_fields (owner_id, key, label, type, position) select ?, 'f' || n, 'F' || n, 'text', n from generate_series(1, 97) n`,
      [cid.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_one, n) =>
        cid.agent.post('/api/contact-fields').send({ label: `G${n}`, type: 'text' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  });
});

describe('tags', () => {
  it('are unique ignoring case, can be put on contacts and filtered by, and are removed from all contacts when deleted', async () => {
    const { body: tag } = await ann.agent
      .post('/api/contact-tags')
      .send({ name: 'Java', colour: '#1f6feb' })
      .expect(201);
    await ann.agent.post('/api/contact-tags').send({ name: 'JAVA' }).expect(409);
    await ann.agent.post('/api/contact-tags').send({ name: 'x', colour: 'red' }).expect(400);
    const { body: other } = await ann.agent.post('/api/contact-tags').send({ name: 'Texas' }).expect(201);
    await ann.agent.patch(`/api/contact-tags/${other.id}`).send({ name: 'java' }).expect(409);
    expect((await ann.agent.patch(`/api/contact-tags/${other.id}`).send({ name: 'TX' }).expect(200)).body).toEqual({
      id: other.id,
      name: 'TX',
      colour: null,
    });
    const { id } = await newContact(ann, { tags: [tag.id, other.id] });
    const tagged = async () =>
      (await ann.agent.get(`/api/contacts?limit=5&tag=${tag.id}`).expect(200)).body as { id: string }[];
    expect((await tagged()).map((one) => one.id)).toEqual([id]);
    expect((await ann.agent.get(`/api/contact-tags/${tag.id}/usage`).expect(200)).body).toEqual({ contacts: 1 });
    await ann.agent.delete(`/api/contact-tags/${tag.id}`).expect(204);
    expect((await ann.agent.get(`/api/contacts/${id}`)).body.tags).toEqual([other.id]);
    await ann.agent
      .patch(`/api/contacts/${id}`)
      .send({ tags: Array.from({ length: 51 }, (_one, n) => n + 1) })
      .expect(400);
  });
});

describe('fields of contacts as merge tags', () => {
  const content =
    '{{company|work}}; {{field.visa|none}}; {{field.tax_terms|none}}; {{field.remote|none}}; {{field.rate|none}}; {{field.country|none}}';
  const [known, listed] = ['known@fields.test', 'listed@fields.test'];
  const textTo = (address: string) => app.mails.all.filter(({ to }) => to.includes(address)).at(-1)!.text;

  it("read the profile's value before the list's; contacts without a value read their list's", async () => {
    const bob = await app.user({ set: { tier: 'pro' } });
    for (const field of [
      { label: 'Visa', type: 'text' },
      { label: 'Tax terms', type: 'choices', options: ['C2C', 'W2'] },
      { label: 'Remote', type: 'yes_no' },
      { label: 'Rate', type: 'number' },
      { label: 'Country', type: 'text' },
    ])
      await bob.agent.post('/api/contact-fields').send(field).expect(201);
    const list = await seedList(app, bob, { addresses: [listed] });
    const fields = { visa: 'H1B', tax_terms: ['C2C', 'W2'], remote: false, rate: 80.5, country_2: 'Chile' };
    const { id } = await newContact(bob, { email: known, company: 'Acme', fields, listIds: [list.id] });
    await sql(
      `update subscriptions set confirmed = true, confirmed_at = now(), subscription_type = 'job-posts',
         attributes = '{"Company": "List Co", "Visa": "USC", "Country": "Peru"}' where email_list_id = ?`,
      [list.id],
    );
    await sql(`insert into contact_fields values (?, 'Company'), (?, 'Visa'), (?, 'Country')`, [
      list.id,
      list.id,
      list.id,
    ]);
    // Waits for the mail that asks for consent, which could otherwise arrive after the send's mail.
    await untilAccountSettled(app, bob);
    await settled(bob, await send(bob, list, { content }));
    expect(textTo(known)).toMatch(/^Acme; H1B; C2C, W2; No; 80.5; Chile\n/);
    expect(textTo(listed)).toMatch(/^List Co; USC; none; none; none; Peru\n/);

    await bob.agent
      .patch(`/api/contacts/${id}`)
      .send({ company: 'Beta', fields: { visa: null } })
      .expect(200);
    await settled(bob, await send(bob, list, { subject: 'Later', content }));
    expect(textTo(known)).toMatch(/^Beta; none; C2C, W2; No; 80.5; Chile\n/);
    const render = async (recipient: object) =>
      (await bob.agent.post('/api/send-email/render').send(sendBody(list, { content, recipient })).expect(200))
        .body as { text: string; recipient: { email: string; emptyTags: string[] } };
    expect(await render({ search: 'known@' })).toMatchObject({
      text: expect.stringMatching(/^Beta; none; C2C, W2; No; 80.5; Chile\n/),
      recipient: { email: known, emptyTags: ['field.visa'] },
    });
    expect((await render({ onlyEmpty: true, search: 'known@' })).recipient.email).toBe(known);
  });

  it('are offered for any lists, with counts, each once', async () => {
    const bob = await app.user();
    await bob.agent.post('/api/contact-fields').send({ label: 'Country', type: 'text' }).expect(201);
    const list = await seedList(app, bob, { count: 1 });
    await newContact(bob, { company: 'Acme', fields: { country_2: 'Chile' }, listIds: [list.id] });
    await sql(`update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`, [list.id]);
    await sql(`insert into contact_fields values (?, 'Country')`, [list.id]);
    const menu = async (query = '') =>
      (
        (await bob.agent.get(`/api/merge-tags${query}`).expect(200)).body as {
          tag: string;
          group: string;
          filled?: number;
        }[]
      ).filter(({ tag, group }) => tag === 'company' || group === 'Custom fields');
    expect((await menu()).map(({ tag }) => tag)).toEqual(['company', 'field.country_2']);
    expect(await menu(`?emailListIds=${list.id}&counts=true`)).toEqual([
      expect.objectContaining({ tag: 'company', filled: 1, total: 2 }),
      expect.objectContaining({ tag: 'field.country_2', label: 'Country', example: 'Chile', filled: 1, total: 2 }),
    ]);
  });
});
