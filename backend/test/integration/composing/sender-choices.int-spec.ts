import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { doc, mergeTag, paragraph, text } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { documentBody, seedList, sendBody, type SeededList, settled, startSending } from '../sending/support.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({
    firstName: '𝒜nn 🙂',
    lastName: '𠮷田',
    set: { tier: 'pro', agency_name: 'Northline 🚀 𝔖taffing' },
  });
  people = await seedList(app, user, { count: 1 });
  await user.agent
    .put('/api/sender-profile')
    .set('If-Match', '*')
    .send({ signature: doc(paragraph('𝒜nn, at your service 🖋️')), accent: 'teal' })
    .expect(200);
});
afterAll(() => app.close());

const post = async (path: string, body: object, status = 201) =>
  (await user.agent.post(path).send(body).expect(status)).body;
const sent = async (body: object): Promise<string> => {
  const { id } = await post('/api/send-email', body, 202);
  await settled(user, id as string);
  return id as string;
};
const composed = (extra: object = {}) => documentBody(people, doc(paragraph('Hello all')), extra);
const plain = (extra: object = {}) => sendBody(people, { subject: `Plain ${randomUUID()}`, ...extra });

describe('a draft or template that is made from a send', () => {
  it.each([
    ['of a rich text by default', () => composed(), { brand: null, signature: null }],
    ['of a rich text without the signature', () => composed({ signature: false }), { brand: true, signature: false }],
    [
      'of a rich text without both',
      () => composed({ brand: false, signature: false }),
      { brand: false, signature: false },
    ],
    ['of a plain text by default', () => plain(), { brand: false, signature: false }],
    ['of a plain text with the signature', () => plain({ signature: true }), { brand: false, signature: true }],
  ])('%s keeps what its sender chose', async (_name, body, choice) => {
    const id = await sent(body());
    expect(await post('/api/drafts', { fromSendId: id })).toMatchObject(choice);
    const template = await post('/api/email-templates', { name: randomUUID(), fromSendId: id });
    expect(template).toMatchObject(choice);
    expect(await post(`/api/email-templates/${template.id}/use`, {}, 200)).toMatchObject(choice);
    expect(await post(`/api/email-templates/${template.id}/duplicate`, {})).toMatchObject(choice);
    const { body: saved } = await user.agent
      .patch(`/api/email-templates/${template.id}`)
      .set('If-Match', '*')
      .send({ document: doc(paragraph('Changed')) })
      .expect(200);
    expect(saved).toMatchObject(choice);
  });

  it('keeps the choice also where the profile had nothing to show', async () => {
    const bare = await app.user();
    const list = await seedList(app, bare, { count: 1 });
    const { body } = await bare.agent
      .post('/api/send-email')
      .send(sendBody(list, { signature: true }))
      .expect(202);
    await settled(bare, body.id);
    const { body: draft } = await bare.agent.post('/api/drafts').send({ fromSendId: body.id }).expect(201);
    expect(draft).toMatchObject({ brand: false, signature: true });
  });

  it('takes the choice of a draft, unless the template names its own', async () => {
    const { id } = await post('/api/drafts', { document: doc(paragraph('Hi')), signature: false });
    const made = (extra: object) =>
      post('/api/email-templates', { name: randomUUID(), fromDraftId: id as string, ...extra });
    expect(await made({})).toMatchObject({ brand: null, signature: false });
    expect(await made({ brand: false, signature: true })).toMatchObject({ brand: false, signature: true });
    await user.agent.post('/api/email-templates').send({ name: 'x', fromDraftId: id, brand: 'yes' }).expect(400);
  });
});

describe('characters beyond the basic plane', () => {
  const NAME = '𠮷🙂é';
  const body = () =>
    composed({
      subject: `Rates 🚀 𝟙 {{first_name|there}} ${randomUUID()}`,
      preheader: 'Preview 👀 𝒫',
      document: doc(paragraph('Hi ', mergeTag('first_name', 'there'), text(' 𝔍ava 👩‍💻 🇺🇸'))),
    });

  it('reach the preview, both parts of the mail and its headers as they are', async () => {
    await rows(app.em(), `update subscriptions set first_name = ?, name = ? where email_list_id = ?`, [
      NAME,
      `${NAME} 𠮷`,
      people.id,
    ]);
    const given = body();
    const subject = given.subject.replace('{{first_name|there}}', NAME);
    const rendered = await post('/api/send-email/render', { ...given, recipient: {} }, 200);
    const preview = await post('/api/send-email/preview', given, 200);
    await sent(given);
    const mail = app.mails.all.find((one) => one.subject === subject)!;
    expect(rendered.subject).toBe(subject);
    for (const { html, text: plainText } of [rendered, preview, mail] as { html: string; text: string }[])
      for (const part of [html, plainText]) {
        expect(part).toContain('𝔍ava 👩‍💻 🇺🇸');
        expect(part).toContain('𝒜nn, at your service 🖋️');
        expect(part).toContain('Northline 🚀 𝔖taffing');
        expect(part.isWellFormed()).toBe(true);
        expect(part).not.toContain('\ufffd');
      }
    for (const part of [mail.html, mail.text, rendered.html, rendered.text]) expect(part).toContain(`Hi ${NAME}`);
    expect(mail.html).toContain('Preview 👀 𝒫');
    expect(mail.from).toContain('𝒜nn 🙂 𠮷田');
    const [kept] = await rows<{ content: string }>(app.em(), `select content from email_history where subject = ?`, [
      given.subject,
    ]);
    expect(kept!.content).toContain('𝔍ava 👩‍💻 🇺🇸');
  });
});
