import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { ExportParts } from '../../../src/shared/personal-data.js';
import type { TestApp } from '../../kit/app.js';
import { doc, link, list, mergeTag, paragraph, table, text } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import {
  documentBody,
  seedList,
  sendBody,
  type SeededList,
  sentToday,
  settled,
  startSending,
} from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => app.close());

const HOTLIST = doc(
  paragraph('Hi ', mergeTag('first_name', 'there'), ','),
  list('bulletList', [paragraph('Java')], [paragraph(text('Spring', { type: 'bold' }))]),
  table(['Name', 'Rate'], ['Ann', '$60/hr'], ['José', '$65/hr']),
  paragraph('See ', text('the board', link('https://jobs.test/?a=1&b=2'))),
);
const composed = (extra: object = {}, lists: SeededList | SeededList[] = people) => documentBody(lists, HOTLIST, extra);
const mailsOf = (subject: string) => app.mails.all.filter((mail) => mail.subject.includes(subject));
const press = (body: object) => user.agent.post('/api/send-email').send(body);

describe('a send of a document', () => {
  it('has both parts, rendered from the document', async () => {
    const body = composed({ preheader: 'Two people, C2C' });
    const { id } = (await press(body).expect(202)).body;
    expect((await settled(user, id)).status).toBe('sent');
    const mails = mailsOf(body.subject);
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      const { html } = mail;
      expect(html).toMatch(/<th scope="col"[^>]*>Name<\/th>/);
      expect(html).toContain('<strong>Spring</strong>');
      expect(html).toContain('href="https://jobs.test/?a=1&amp;b=2"');
      expect(html).toContain('<!--[if mso]><table role="presentation" width="600"');
      expect(html).toContain('Two people, C2C');
      expect(html).toContain('>Hi there,</p>');
      expect(mail.text).toMatch(
        /^Hi there,\n\n- Java\n- Spring\n\nName {2}Rate\n-{4} {2}-{6}\nAnn {3}\$60\/hr\nJosé {2}\$65\/hr\n\nSee the board \(https:\/\/jobs\.test\/\?a=1&b=2\)\n\n-- \n/,
      );
      for (const part of [html, mail.text]) expect(part).toContain('Unsubscribe');
    }
  });

  it('fills merge tags that were typed as text, refuses unknown ones, and keeps tags out of addresses', async () => {
    const site = text('our site', link('https://jobs.test'));
    const body = composed({ document: doc(paragraph('Hi {{first_name|there}},'), paragraph(site, '{{last_name|!}}')) });
    const { id } = (await press(body).expect(202)).body;
    await settled(user, id);
    const [mail] = mailsOf(body.subject);
    expect(mail!.html).toContain('>Hi there,</p>');
    expect(mail!.text).toMatch(/^Hi there,\n\nour site \(https:\/\/jobs\.test\) !\n/);
    for (const path of ['/api/send-email', '/api/send-email/preview', '/api/send-email/render'])
      for (const [typed, fault] of [
        ['{{fist_name}}', /Unknown merge tag: {{fist_name}}. Did you mean {{first_name}}/],
        ['www.collect.test/?e={{email}}', /tag_in_link/],
      ] as const)
        await user.agent
          .post(path)
          .send(composed({ document: doc(paragraph(typed)) }))
          .expect(400)
          .expect(fault);
  });

  it('is refused where recipients would see the braces of a tag: in a link text, an image description or across two formats', async () => {
    const bold = { type: 'bold' };
    const split = paragraph(text('Hi {{first'), text('_name|there}}', bold));
    for (const [document, fault] of [
      [doc({ type: 'button', attrs: { label: 'For {{first_name}}', href: 'https://a.test' } }), /button's label/],
      [doc(paragraph('x'), table(['a'], [split])), /\{\{first_name\|there\}\} is written in two formats/],
    ] as const)
      for (const path of ['/api/send-email', '/api/send-email/preview', '/api/send-email/render'])
        await user.agent
          .post(path)
          .send(composed({ document }))
          .expect(400)
          .expect(fault)
          .expect(/document_invalid/);
    // A draft is stored as written. In a send, a tag whose characters all have the same format is filled.
    await user.agent
      .post('/api/drafts')
      .send({ document: doc(split) })
      .expect(201);
    const whole = doc(paragraph(text('Hi '), text('{{first_name|there}}', bold), text('{{7*'), text('7}}', bold)));
    const { body } = await user.agent
      .post('/api/send-email/render')
      .send(composed({ document: whole }))
      .expect(200);
    expect(body.text).toContain('Hi there{{7*7}}');
  });

  it('is in the history with its document, and in search, CSV and export with its text', async () => {
    const body = composed({ preheader: 'Line' });
    const { id } = (await press(body).expect(202)).body;
    const { body: entry } = await user.agent.get(`/api/email-history/${id}`).expect(200);
    expect(entry).toMatchObject({
      preheader: 'Line',
      document: { type: 'doc', version: 1 },
    });
    expect(entry.content).toMatch(/^Hi {{first_name\|there}},\n\n- Java/);
    expect(entry.html).toContain('<strong>Spring</strong>');
    expect(entry.document.content[1].content[1].content[0].content[0]).toEqual({
      type: 'text',
      text: 'Spring',
      marks: [{ type: 'bold' }],
    });
    const { body: found } = await user.agent.get(`/api/email-history?search=${body.subject}`).expect(200);
    expect(found).toHaveLength(1);
    const exported = app.get(ExportParts).filesOf(user.id);
    let csv = '';
    for await (const part of exported.find(({ file }) => file === 'history.csv')!.text()) csv += part;
    expect(csv).toContain(entry.content);
    const plain = (await press(sendBody(people)).expect(202)).body.id;
    expect((await user.agent.get(`/api/email-history/${plain}`).expect(200)).body).toMatchObject({
      document: null,
      preheader: '',
    });
  });

  it('is deleted with its account', async () => {
    const own = await app.user();
    const list = await seedList(app, own, { count: 1 });
    const { id } = (await own.agent.post('/api/send-email').send(composed({}, list)).expect(202)).body;
    await settled(own, id);
    const stored = () => rows(app.em(), `select 1 from send_messages where history_id = ?`, [id]);
    expect(await stored()).toHaveLength(1);
    await untilAccountSettled(app, own);
    await rows(app.em(), `delete from users where id = ?`, [own.id]);
    expect(await stored()).toEqual([]);
  });

  it('is previewed as it would be sent', async () => {
    const { body } = await user.agent
      .post('/api/send-email/preview')
      .send(composed({ subject: 'Seen', preheader: 'Line' }))
      .expect(200);
    expect(body).toMatchObject({
      recipientCount: '2',
      subject: 'Seen',
      htmlBytes: Buffer.byteLength(body.html),
    });
    expect(body.html).toContain('<strong>Spring</strong>');
    expect(body.text).toContain('- Java');
    const { body: empty } = await user.agent
      .post('/api/send-email/preview')
      .send(composed({ document: doc(paragraph()) }))
      .expect(200);
    expect(empty.html).toContain('Unsubscribe');
  });

  it('accepts either a content or a document', async () => {
    const before = await sentToday(user);
    await press(composed({ content: 'x' }))
      .expect(400)
      .expect(/Send either content or document/);
    await press(composed({ document: undefined }))
      .expect(400)
      .expect(/Content is required/);
    await press(composed({ document: null }))
      .expect(400)
      .expect(/Content is required/);
    await press(composed({ document: doc(paragraph(' ')) }))
      .expect(400)
      .expect(/Content is required/);
    for (const field of ['attachments', 'html', 'from', 'replyTo', 'headers', 'raw'])
      await press(composed({ [field]: 'x' }))
        .expect(400)
        .expect(/Unknown field/);
    expect(await sentToday(user)).toBe(before);
  });

  it('counts as a repetition only for an equal document', async () => {
    const body = composed();
    const first = (await press(body).expect(202)).body.id;
    expect((await press(body).expect(202)).body.id).toBe(first);
    const others = [{ document: doc(paragraph('Other')) }, { preheader: 'Other' }];
    for (const other of others) expect((await press({ ...body, ...other }).expect(202)).body.id).not.toBe(first);
  });

  it('is refused with the path of an unknown part, never with a 500', async () => {
    const deep = (levels: number): object =>
      levels === 0 ? paragraph('x') : { type: 'blockquote', content: [deep(levels - 1)] };
    const hostile: [unknown, RegExp?][] = [
      [doc(paragraph('a'), { type: 'script', content: [text('alert(1)')] }), /content\[1\]: unknown node \\"script\\"/],
      [doc({ type: 'paragraph', attrs: { onerror: 'alert(1)' } }), /content\[0\]: unknown attribute \\"onerror\\"/],
      ...['javascript:alert(1)', 'data:text/html,x', 'vbscript:x'].map((href): [unknown, RegExp] => [
        doc(paragraph(text('a', link(href)))),
        /document_invalid/,
      ]),
      [doc(deep(12) as never)],
      [doc(deep(40) as never)],
      [doc(...Array.from({ length: 5_001 }, () => paragraph())), /more than 5000 parts/],
      [doc(paragraph('\0'))],
      [doc(paragraph('\ud800')), /half a character/],
      [
        doc(
          paragraph({
            type: 'text',
            text: 'x',
            marks: { bold: true },
          } as never),
        ),
      ],
      [{ __proto__: null, type: 'doc', version: 1, content: {} }],
      ['<p>'],
      [[]],
      [7],
    ];
    for (const path of ['/api/send-email', '/api/send-email/preview'])
      for (const [document, message] of hostile) {
        const answer = await user.agent.post(path).send(composed({ document })).expect(400);
        if (message) expect(answer.text).toMatch(message);
      }
    const shown = composed({
      document: doc(paragraph('<script>alert(1)</script>')),
    });
    const { body } = await user.agent.post('/api/send-email/preview').send(shown).expect(200);
    expect(body.html).toContain('&lt;script&gt;');
  });
});

describe('a send', () => {
  it('can be duplicated as a draft: with its document, or its plain text as paragraphs', async () => {
    const gone = await seedList(app, user, { count: 1 });
    const body = composed({ preheader: 'Line' }, [people, gone]);
    const sent = (await press(body).expect(202)).body.id;
    await rows(app.em(), `update email_lists set deleted_at = now() where id = ?`, [gone.id]);
    const { body: draft } = await user.agent.post('/api/drafts').send({ fromSendId: sent }).expect(201);
    expect(draft).toMatchObject({
      subject: body.subject,
      preheader: 'Line',
      emailListIds: [people.id],
      content: null,
      step: 1,
    });
    const { body: entry } = await user.agent.get(`/api/email-history/${sent}`).expect(200);
    expect(draft.document).toEqual(entry.document);
    const plain = (await press(sendBody(people, { content: 'Hi {{first_name|you}},\n\nfree?' })).expect(202)).body.id;
    const { body: ofPlain } = await user.agent.post('/api/drafts').send({ fromSendId: plain }).expect(201);
    expect(ofPlain.document.content).toEqual([
      { ...paragraph('Hi ', mergeTag('first_name', 'you'), ','), attrs: { textAlign: 'left' } },
      { ...paragraph('free?'), attrs: { textAlign: 'left' } },
    ]);
    const stranger = await app.user();
    for (const fromSendId of [sent, randomUUID(), 'nonsense'])
      await stranger.agent.post('/api/drafts').send({ fromSendId }).expect(404);
  });
});
