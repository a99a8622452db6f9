import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SendLoader } from '../../../src/modules/delivery/batches/send-loader.service.js';
import { MessageComposer } from '../../../src/modules/delivery/message/message-composer.js';
import { contactFieldsSql } from '../../../src/modules/lists/contacts/contact-field-sql.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import {
  seedList,
  type SeededList,
  seedTaggedPeople,
  send,
  sendBody,
  settled,
  startSending,
  TAGGED_PEOPLE,
} from './support.js';

let app: TestApp;
let ann: SignedUp;
let list: SeededList;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

const TAGGED = {
  subject: 'Java for {{first_name|you}}',
  content: 'Hi {{first_name|there}},\n\n{{company}} {{field.visa|unknown}} {{list_name}} {{sender_name}} {{7*7}}',
};

beforeAll(async () => {
  app = await startSending();
  ann = await app.user({ set: { tier: 'pro', agency_name: 'Acme' } });
  list = await seedTaggedPeople(app, ann);
});
afterAll(() => app.close());

const mailTo = (address: string) => app.mails.all.filter((mail) => mail.to.includes(address)).at(-1)!;

describe('a send with merge tags', () => {
  it('shows each recipient their own values or the fallback, without duplicates', async () => {
    const id = await send(ann, list, TAGGED);
    expect(await settled(ann, id)).toMatchObject({ status: 'sent', counts: { sent: 3 } });
    const [first, second, third] = TAGGED_PEOPLE.map(mailTo);
    expect(first!.subject).toBe('Java for Priya');
    expect(first!.text).toContain('Hi Priya,\n\nA <b> ü H1B Java people Ann Kumar {{7*7}}');
    expect(first!.html).toContain('Hi Priya,<br>');
    expect(first!.html).toContain('A &lt;b&gt; ü H1B');
    expect(second!.subject).toBe('Java for A Bcc: e@x.test {{company}}');
    expect(second!.text).toContain('Hi A Bcc: e@x.test {{company}},\n\n unknown Java people');
    expect(second!.headers.has('bcc')).toBe(false);
    expect(third!.subject).toBe('Java for you');
    expect(third!.text).toContain('Hi there,');
    expect(third!.html).toContain('Hi there,');
  });

  it('is stored as typed, and shows the message of each recipient', async () => {
    const id = await send(ann, list, { ...TAGGED, subject: 'Shown to {{first_name|you}}' });
    await settled(ann, id);
    const entry = (await ann.agent.get(`/api/email-history/${id}`).expect(200)).body;
    expect(entry).toMatchObject({ subject: 'Shown to {{first_name|you}}', content: TAGGED.content });
    expect(entry.html).toContain('Hi {{first_name|there}},');
    const log = (await ann.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
      id: string;
      recipientEmail: string;
    }[];
    const of = (address: string) => log.find(({ recipientEmail }) => recipientEmail === address)!.id;
    const { body } = await ann.agent
      .get(`/api/email-history/${id}/deliveries/${of('a1@tags.test')}/message`)
      .expect(200);
    expect(body).toMatchObject({
      subject: 'Shown to Priya',
      recipient: { email: 'a1@tags.test', name: 'Priya & Co', listName: 'Java people', emptyTags: [] },
    });
    expect(body.text).toContain('Hi Priya,');
    const bob = await app.user();
    await bob.agent.get(`/api/email-history/${id}/deliveries/${of('a1@tags.test')}/message`).expect(404);
    const other = await send(ann, list);
    await ann.agent.get(`/api/email-history/${other}/deliveries/${of('a1@tags.test')}/message`).expect(404);
    await ann.agent.get(`/api/email-history/${id}/deliveries/x/message`).expect(404);
  });

  it.each([
    [
      { content: 'Hi {{fist_name}}' },
      'unknown_merge_tag',
      'Unknown merge tag: {{fist_name}}. Did you mean {{first_name}}?',
    ],
    [{ content: 'https://x.test/{{email}}' }, 'tag_in_link', 'A link cannot hold a merge tag'],
    [{ subject: '{{first_name}}' }, 'validation_failed', 'Subject could be empty: give First name a fallback'],
    [{ content: '{{field.nothing}}' }, 'unknown_merge_tag', 'Unknown merge tag: {{field.nothing}}.'],
  ])('is refused as a whole for %j', async (extra, error, message) => {
    const before = (await ann.agent.get('/api/email-history?limit=1').expect(200)).headers['x-total-count'];
    const { body } = await ann.agent.post('/api/send-email').send(sendBody(list, extra)).expect(400);
    expect(body).toMatchObject({ code: error, message: expect.stringContaining(message) });
    expect((await ann.agent.get('/api/email-history?limit=1').expect(200)).headers['x-total-count']).toBe(before);
  });

  it('replaces a lone surrogate by U+FFFD', async () => {
    const id = await send(ann, list, { subject: 'Half {{first_name|you}}', content: 'Hi \ud800 {{first_name|there}}' });
    await settled(ann, id);
    expect(mailTo('c3@tags.test').text).toContain('Hi \ufffd there');
  });

  it('is identical in every batch', async () => {
    const id = await send(ann, list, { ...TAGGED, subject: 'Batches {{first_name|you}}' });
    await settled(ann, id);
    const sends = app.get(SendLoader);
    const first = await sends.load(id);
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    const second = await sends.load(id).finally(() => later.mockRestore());
    expect(second).not.toBe(first);
    const reader = { listName: 'Java people', unsubscribeToken: 'token', introductionDue: false };
    const [one, other] = [first, second].map((prepared) => app.get(MessageComposer).rendered(prepared!, reader));
    expect(other).toEqual(one);
  });

  it('may use fifty fields of a contact, and the query reads more', async () => {
    const labels = Array.from({ length: 101 }, (_, n) => `F ${n}`);
    const wide = await seedList(app, ann, { addresses: ['wide@tags.test'] });
    await query(`insert into contact_fields select ?::uuid, jsonb_array_elements_text(?::jsonb)`, [
      wide.id,
      JSON.stringify(labels),
    ]);
    await query(`update subscriptions set attributes = '{"F 0": "first", "F 100": "last"}' where email_list_id = ?`, [
      wide.id,
    ]);
    const tagged = (count: number) => ({
      subject: `Wide ${count}`,
      content: labels
        .slice(-count)
        .map((_label, n) => `{{field.f_${101 - count + n}}}`)
        .join(' '),
    });
    expect(await settled(ann, await send(ann, wide, tagged(50)))).toMatchObject({ counts: { sent: 1 } });
    expect(mailTo('wide@tags.test').text).toContain('last');
    const { body } = await ann.agent
      .post('/api/send-email')
      .send(sendBody(wide, tagged(51)))
      .expect(400);
    expect(body.message).toContain('At most 50 different merge tags');
    const { sql, params } = contactFieldsSql(labels.map((label) => ({ tag: 'field.x', labels: [label] })));
    const [found] = await query<{ found: (string | null)[] }>(
      `select ${sql} as found from subscriptions c join email_lists l on l.id = c.email_list_id where l.id = ?`,
      [...params, wide.id],
    );
    expect(found!.found).toEqual(['first', ...Array.from({ length: 99 }, () => null), 'last']);
  });

  it('without any tag stays a plain send', async () => {
    const id = await send(ann, list, { subject: 'Plain {{7*7}}' });
    expect(await query(`select 1 from send_messages where history_id = ?`, [id])).toEqual([]);
    await settled(ann, id);
    expect(mailTo('a1@tags.test').subject).toBe('Plain {{7*7}}');
  });
});

describe('members of the shared network', () => {
  it("read their company also where the sender's own lists spell the column differently", async () => {
    const network = await seedList(app, null, { addresses: ['n2@network.test'] });
    const own = await seedList(app, ann, { addresses: ['own2@tags.test'] });
    for (const [list, label, company] of [
      [network, 'Company', 'Noor & Sons'],
      [own, 'COMPANY', '--Acme'],
    ] as const) {
      await query(`insert into contact_fields values (?, ?) on conflict do nothing`, [list.id, label]);
      await query(`update subscriptions set attributes = ?::jsonb where email_list_id = ?`, [
        JSON.stringify({ [label]: company }),
        list.id,
      ]);
    }
    const lists = [network.id, own.id];
    const id = await send(ann, own, { emailListIds: lists, subject: 'x', content: 'At {{company|work}}' });
    await settled(ann, id);
    expect(mailTo('n2@network.test').text).toContain('At Noor & Sons');
    expect(mailTo('own2@tags.test').text).toContain('At --Acme');
  });

  it('get their own values, but no custom fields, and are never shown', async () => {
    const member = 'n1@network.test';
    const network = await seedList(app, null, { addresses: [member] });
    await query(
      `update subscriptions set first_name = 'Noor', last_name = 'Khan', attributes = '{"Visa": "GC"}' where email_list_id = ? and email = ?`,
      [network.id, member],
    );
    const id = await send(ann, network, {
      subject: 'For {{first_name|you}} {{last_name|only}}',
      content: 'See {{first_name}} at {{company|work}}',
    });
    await settled(ann, id);
    expect(mailTo(member).subject).toBe('For Noor only');
    const [row] = (await ann.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as { id: string }[];
    const { body } = await ann.agent.get(`/api/email-history/${id}/deliveries/${row!.id}/message`).expect(200);
    expect(body).toMatchObject({ subject: 'For Priya Patel', recipient: null });
    expect(JSON.stringify(body)).not.toMatch(/Noor|n1@/);
    const render = await ann.agent
      .post('/api/send-email/render')
      .send(sendBody(network, { content: 'Hi {{first_name|there}}' }))
      .expect(200);
    expect(render.body).toMatchObject({ recipient: null, next: 'made-up', previous: null });
    expect(render.body.text).toContain('Hi Priya');
    const second = await ann.agent
      .post('/api/send-email/render')
      .send(sendBody(network, { content: 'Hi {{first_name|there}}', recipient: { after: 'made-up' } }))
      .expect(200);
    expect(second.body.text).toContain('Hi there');
  });
});

describe('the recipients of a composition', () => {
  const render = async (recipient: object = {}, extra: object = {}) =>
    (
      await ann.agent
        .post('/api/send-email/render')
        .send(sendBody(list, { ...TAGGED, recipient, ...extra }))
        .expect(200)
    ).body as {
      subject: string;
      html: string;
      recipient: { email: string; emptyTags: string[] } | null;
      next: string;
      previous: string;
    };

  it('are paged in both directions', async () => {
    const first = await render();
    expect(first).toMatchObject({
      subject: 'Java for Priya',
      recipient: { email: 'a1@tags.test', emptyTags: [] },
      previous: null,
    });
    const second = await render({ after: first.next });
    expect(second.recipient).toMatchObject({ email: 'b2@tags.test', emptyTags: ['company', 'field.visa'] });
    const third = await render({ after: second.next });
    expect(third).toMatchObject({ subject: 'Java for you', recipient: { email: 'c3@tags.test' }, next: null });
    expect((await render({ before: third.previous })).recipient!.email).toBe('b2@tags.test');
  });

  it('are found by address, and by an empty tag', async () => {
    expect((await render({ search: 'C3@' })).recipient!.email).toBe('c3@tags.test');
    expect(await render({ search: 'nobody' })).toMatchObject({ recipient: null, next: null });
    const empty = await render({ onlyEmpty: true });
    expect(empty).toMatchObject({ recipient: { email: 'b2@tags.test' }, previous: null });
    const last = await render({ onlyEmpty: true, after: empty.next });
    expect(last).toMatchObject({ recipient: { email: 'c3@tags.test' }, next: null });
    expect((await render({ onlyEmpty: true, before: last.previous })).recipient!.email).toBe('b2@tags.test');
  });

  it('start with the first by default', async () => {
    for (const extra of [{ recipient: null }, { recipient: { after: null, before: null, search: null } }])
      expect((await render({}, extra)).recipient!.email).toBe('a1@tags.test');
  });

  it('have their values highlighted on request', async () => {
    expect((await render({}, { marks: true })).html).toMatch(/Hi <mark [^>]*>Priya<\/mark>,/);
    expect((await render()).html).not.toContain('<mark');
  });

  it('of other users are not shown', async () => {
    const bob = await app.user();
    await bob.agent.post('/api/send-email/render').send(sendBody(list, TAGGED)).expect(404);
    await bob.agent.get(`/api/merge-tags?emailListIds=${list.id}`).expect(404);
  });
});
