import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { doc, paragraph } from '../../kit/samples/documents.js';
import { PNG } from '../../kit/samples/pictures.js';
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
import {
  ADDRESS,
  ADDRESS_LINE,
  CLOSING,
  putProfile,
  readProfile,
  SIGNATURE,
  uploadLogo,
} from './sender-profile-support.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;
let logoFileId: string;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({ set: { tier: 'pro', agency_name: 'Acme <Staffing>' } });
  people = await seedList(app, user, { count: 1 });
  logoFileId = await uploadLogo(user);
});
afterAll(() => app.close());

const read = (by = user) => readProfile(by);
const put = (body: object, version?: number | string, by = user) => putProfile(by, body, version);
const mailOf = (subject: string) => app.mails.all.find((mail) => mail.subject === subject)!;

/** Sends to the only contact. @returns the mail */
async function mailed(body: { subject: string }) {
  const { id } = (await user.agent.post('/api/send-email').send(body).expect(202)).body;
  expect((await settled(user, id)).status).toBe('sent');
  return mailOf(body.subject);
}
const composed = (extra: object = {}) => documentBody(people, doc(paragraph('Hello all')), extra);

describe('a send', () => {
  it('names the address that its sender had when it was accepted', async () => {
    await put({ ...ADDRESS, country: 'USA' }).expect(200);
    const mail = await mailed(sendBody(people, { subject: `Plain ${randomUUID()}` }) as { subject: string });
    const line = `Acme <Staffing>, ${ADDRESS_LINE}, USA`;
    expect(mail.text).toContain(`${line}\nYou receive this email`);
    expect(mail.html).toContain(`Acme &lt;Staffing&gt;, ${ADDRESS_LINE}, USA<br>`);
    expect(mail.text).toContain('Sent with Staffcast, 1 Test Street, Springfield');
    const [stored] = await rows<{ address: string }>(
      app.em(),
      `select sender_address as address from email_history where subject = ?`,
      [mail.subject],
    );
    expect(stored!.address).toBe(`${ADDRESS_LINE}, USA`);
  });

  const looks = [true, false].flatMap((showLogo) =>
    [true, false].flatMap((signed) => [true, false].map((addressed) => ({ showLogo, signed, addressed }))),
  );
  it.each([...looks, { showLogo: 'name' as const, signed: true, addressed: true }])(
    'has what its profile says: %j',
    async ({ showLogo, signed, addressed }) => {
      await put({
        ...(addressed && ADDRESS),
        ...(signed && { signature: SIGNATURE, footer: CLOSING }),
        logoFileId: showLogo === true ? logoFileId : null,
        showLogo: showLogo !== false,
        accent: 'purple',
      }).expect(200);
      const { html, text: plain } = await mailed(composed());
      expect(
        /<img src="http:\/\/staffcast\.test\/media\/[\w-]{43}\.png" alt="Acme &lt;Staffing&gt;" width="20" height="12"/.test(
          html,
        ),
      ).toBe(showLogo === true);
      expect(html.includes('font-weight:600;border-bottom:2px solid #5c3391">Acme &lt;Staffing&gt;</td>')).toBe(
        showLogo === 'name',
      );
      expect(html.includes('<strong>Ms Recruiter</strong>')).toBe(signed);
      expect(
        plain.includes(
          'Hello all\n\nMs Recruiter\n\nOur site (https://acme.test/)\n\nAn equal opportunity employer.\n\n-- \n',
        ),
      ).toBe(signed);
      expect(plain.includes('Hello all\n\n-- \n')).toBe(!signed);
      for (const part of [html, plain]) expect(part.includes(ADDRESS_LINE)).toBe(addressed);
      if (signed)
        expect(html).toContain('<a href="https://acme.test/" rel="noopener noreferrer" style="color:#5c3391;');
      // The brand does not change the unsubscribe link.
      expect(html).toMatch(/<a href="[^"]*\/unsubscribe\/[^"]*" style="color:#0b57d0">Unsubscribe<\/a>/);
    },
  );

  it('leaves out what its sender switches off', async () => {
    await put({ ...ADDRESS, signature: SIGNATURE, logoFileId, showLogo: true, accent: 'red' }).expect(200);
    const without = await mailed(composed({ brand: false, signature: false }));
    for (const part of [without.html, without.text]) {
      expect(part).not.toContain('Ms Recruiter');
      expect(part).toContain(ADDRESS_LINE);
    }
    expect(without.html).not.toContain('/media/');
    const signedOnly = await mailed(composed({ brand: false }));
    expect(signedOnly.html).toContain('Ms Recruiter');
    expect(signedOnly.html).not.toContain('#a11a16');
  });

  it('of plain content has a signature only when asked for one', async () => {
    await put({ ...ADDRESS, signature: SIGNATURE, logoFileId, showLogo: true }).expect(200);
    const content = 'Hi {{first_name|there}},\nsee https://jobs.test/1\n\n  indented <b>';
    const plain = await mailed(sendBody(people, { subject: `Plain ${randomUUID()}`, content }) as { subject: string });
    expect(plain.text).not.toContain('Ms Recruiter');
    expect(plain.html).not.toContain('/media/');
    const body = sendBody(people, { subject: `Signed ${randomUUID()}`, content, signature: true });
    const signed = await mailed(body as unknown as { subject: string });
    expect(signed.text).toMatch(
      /^Hi there,\nsee https:\/\/jobs\.test\/1\n\n\s*indented <b>\n\nMs Recruiter\n\nOur site/,
    );
    expect(signed.html).toContain('indented &lt;b&gt;');
    const [entry] = await rows<{ content: string }>(app.em(), `select content from email_history where subject = ?`, [
      signed.subject,
    ]);
    expect(entry!.content).toBe(content);
  });

  it('keeps its pictures as long as it is in the history', async () => {
    const { body: file } = await user.agent
      .post('/api/files')
      .set('Sec-Fetch-Site', 'same-origin')
      .field('kind', 'image')
      .attach('file', Buffer.concat([PNG]), 'again.png');
    await put({ logoFileId: file.id, showLogo: true }).expect(200);
    await mailed(composed());
    await put({}).expect(200);
    expect((await user.agent.delete(`/api/files/${file.id}`).expect(409)).body.message).toContain(
      'An email that you sent',
    );
  });

  it('is another one with another choice, and the same with the default spelt out', async () => {
    const body = composed();
    const send = async (extra: object) =>
      (
        await user.agent
          .post('/api/send-email')
          .send({ ...body, ...extra })
          .expect(202)
      ).body.id;
    const first = await send({});
    expect(await send({ signature: true, brand: true })).toBe(first);
    expect(await send({ signature: false })).not.toBe(first);
    await user.agent
      .post('/api/send-email')
      .send({ ...body, brand: 'yes' })
      .expect(400);
  });

  it('keeps the choice with its draft', async () => {
    const { body: draft } = await user.agent.post('/api/drafts').send({ signature: false }).expect(201);
    expect(draft).toMatchObject({ signature: false, brand: null });
    await user.agent.put(`/api/drafts/${draft.id}`).set('If-Match', '"1"').send({ brand: false }).expect(200);
    const { body: after } = await user.agent.get(`/api/drafts/${draft.id}`).expect(200);
    expect(after).toMatchObject({ signature: null, brand: false });
    const { body: copy } = await user.agent.post('/api/drafts').send({ fromDraftId: draft.id }).expect(201);
    expect(copy).toMatchObject({ signature: null, brand: false });
  });
});

describe('where the sender’s address is required', () => {
  it('refuses a send without one, counts nothing, and sends once it is there', async () => {
    const strict = await startSending({}, { env: { SENDER_ADDRESS: 'required' } });
    try {
      const sender = await strict.user();
      const lists = await seedList(strict, sender, { count: 1 });
      const refused = await sender.agent.post('/api/send-email').send(sendBody(lists)).expect(403);
      expect(refused.body.code).toBe('sender_address_required');
      expect(await sentToday(sender)).toBe('0');
      expect(await read(sender)).toMatchObject({ addressRequired: true });
      await put(ADDRESS, 0, sender).expect(200);
      const { body } = await sender.agent.post('/api/send-email').send(sendBody(lists)).expect(202);
      expect((await settled(sender, body.id)).status).toBe('sent');
    } finally {
      await strict.close();
    }
  });
});
