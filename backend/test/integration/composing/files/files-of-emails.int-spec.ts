import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../../kit/app.js';
import { untilAccountSettled } from '../../../kit/account-settled.js';
import { doc, paragraph } from '../../../kit/samples/documents.js';
import { linkIn } from '../../../kit/mail-catcher.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { documentBody, seedList, type SeededList, sendBody, settled, startSending } from '../../sending/support.js';
import { fileLink, fileLinkHelpers, tokenOf } from './file-links-support.js';

let app: TestApp;
let user: SignedUp;
let stranger: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({ set: { tier: 'pro', agency_name: 'Northline' }, firstName: 'Dana', lastName: 'Cole' });
  stranger = await app.user();
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => app.close());

const { upload, info, download, counts, sent } = fileLinkHelpers(() => ({ app, user, people }));

describe('a file that goes with an email', () => {
  it('is downloaded by the form of its page, which names no origin', async () => {
    const { token } = await sent(await upload('Form.pdf'));
    await download(token).set('Origin', 'null').type('form').send('').expect(200);
  });

  it('is a link above the signature, the same for all recipients', async () => {
    const id = await upload();
    const { mails, token, sendId } = await sent(id, { files: [{ fileId: id, expiresInDays: 7 }] });
    expect(mails).toHaveLength(2);
    for (const { text, html } of mails) {
      expect(text).toMatch(
        /Files\n- Resume, Java developer \(PDF, 1 KB\), until [A-Z][a-z]{2} \d{1,2}, \d{4}\n {2}http:\/\/staffcast\.test\/files\/[\w-]{43}\n/,
      );
      expect(html).toContain(`<a href="http://staffcast.test/files/${token}"`);
      expect(html.indexOf('<strong>Files</strong>')).toBeGreaterThan(html.indexOf('Please see below.'));
    }
    expect(await counts(id)).toEqual({ usedIn: 1, downloads: 0, automated: 0 });
    const { body } = await info(token).expect(200);
    expect(body).toMatchObject({
      name: 'Resume, Java developer.pdf',
      mediaType: 'application/pdf',
      senderName: 'Dana Cole',
      senderAgency: 'Northline',
    });
    const [link] = await rows<{ worksFor: string; sendId: string }>(
      app.em(),
      `select (expires_at - created_at)::text as "worksFor", history_id as "sendId" from file_links where token = ?`,
      [token],
    );
    expect(link).toEqual({ worksFor: '7 days', sendId });
  });

  it('stands where its writer placed it, and not once more below', async () => {
    const id = await upload('Resume.pdf');
    const placed = doc(paragraph('See ', fileLink(id, 'my resume') as never, ' or call.'));
    const { mails, token } = await sent(id, { document: placed });
    expect(mails[0]!.text).toContain(`See my resume (http://staffcast.test/files/${token}) or call.`);
    expect(mails[0]!.text).not.toContain('Files\n');
    const { mails: named } = await sent(id, { document: doc(paragraph(fileLink(id) as never)), files: undefined });
    expect(named[0]!.text).toMatch(/^Resume \(http/m);
  });

  it('goes with plain text too, and leaves a plain email without files as it was', async () => {
    const id = await upload();
    const subject = `Plain ${randomUUID()}`;
    const body = sendBody(people, { subject, files: [{ fileId: id, as: 'link' }] });
    const { body: accepted } = await user.agent.post('/api/send-email').send(body).expect(202);
    await settled(user, accepted.id as string);
    const mail = app.mails.all.find((one) => one.subject === subject)!;
    expect(mail.text).toMatch(/are you free\?\n\nFiles\n- Resume, Java developer/);
    await download(tokenOf(linkIn(mail, '/files/'))).expect(200);
  });

  it("is refused by send, test and draft where it is somebody else's, and by preview", async () => {
    const theirs = await upload('x.pdf', stranger);
    for (const fileId of [theirs, randomUUID(), 'nonsense']) {
      const body = documentBody(people, doc(paragraph('x')), { files: [{ fileId }] });
      for (const path of ['', '/preview', '/render', '/check'])
        await user.agent
          .post(`/api/send-email${path}`)
          .send(body)
          .expect(path === '/check' ? 200 : 404);
      await user.agent
        .post('/api/send-email/test')
        .send({ ...body, to: [user.email] })
        .expect(404);
      await user.agent
        .post('/api/drafts')
        .send({ files: [{ fileId }] })
        .expect(404);
    }
    const own = await upload();
    const wrong = (files: unknown) =>
      user.agent
        .post('/api/send-email')
        .send(documentBody(people, doc(paragraph('x')), { files }))
        .expect(400);
    await wrong([{ fileId: own, expiresInDays: 8 }]);
    await wrong([{ fileId: own, as: 'html' }]);
    await wrong([{ fileId: own, name: 'x' }]);
    await wrong(own);
    await wrong(Array.from({ length: 11 }, () => ({ fileId: own })));
  });

  it('is kept by its draft, and by a draft made from its email', async () => {
    const id = await upload();
    const { body: draft } = await user.agent
      .post('/api/drafts')
      .send({ files: [{ fileId: id.toUpperCase(), expiresInDays: 90 }], document: doc(paragraph('x')) })
      .expect(201);
    const files = [{ fileId: id, as: 'link', expiresInDays: 90 }];
    expect((await user.agent.get(`/api/drafts/${draft.id as string}`).expect(200)).body.files).toEqual(files);
    const { sendId } = await sent(id, { files });
    const { body: copy } = await user.agent.post('/api/drafts').send({ fromSendId: sendId }).expect(201);
    expect(copy.files).toEqual(files);
  });

  it('in a test has a link of its own, which counts nowhere', async () => {
    const id = await upload();
    const subject = `Tried ${randomUUID()}`;
    const body = documentBody(people, doc(paragraph('x')), { subject, files: [{ fileId: id }], to: [user.email] });
    await user.agent.post('/api/send-email/test').send(body).expect(202);
    const mail = await until(() => app.mails.all.find((one) => one.subject.includes(subject)));
    const token = tokenOf(linkIn(mail!, '/files/'));
    await download(token).expect(200);
    expect(await counts(id)).toEqual({ usedIn: 0, downloads: 0, automated: 0 });
    expect(
      await rows(
        app.em(),
        `select expires_at - created_at = interval '24 hours' as "isDay" from file_links where token = ?`,
        [token],
      ),
    ).toEqual([{ isDay: true }]);
  });

  it('that was deleted refuses the email, and the check says so', async () => {
    const id = await upload();
    const files = [{ fileId: id }];
    const body = documentBody(people, doc(paragraph('x')), { files });
    const itemsOf = async () =>
      (
        (await user.agent.post('/api/send-email/check').send(body).expect(200)).body.items as {
          code: string;
          level: string;
        }[]
      ).filter(({ code }) => code.startsWith('file'));
    expect(await itemsOf()).toMatchObject([{ code: 'files_ready', level: 'passed' }]);
    const { body: draft } = await user.agent.post('/api/drafts').send({ files }).expect(201);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    expect(await itemsOf()).toMatchObject([{ code: 'file_gone', level: 'error' }]);
    await user.agent.post('/api/send-email/preview').send(body).expect(200);
    const { body: refused } = await user.agent.post('/api/send-email').send(body).expect(410);
    expect(refused.code).toBe('file_gone');
    await user.agent
      .put(`/api/drafts/${draft.id as string}`)
      .set('If-Match', `"${draft.version as number}"`)
      .send({ files, subject: 'still saved' })
      .expect(200);
  });

  it('is never sent by an email that is accepted while it is deleted', async () => {
    for (let n = 0; n < 4; n++) {
      const id = await upload();
      const [deleted, accepted] = await Promise.all([
        user.agent.delete(`/api/files/${id}`),
        user.agent.post('/api/send-email').send(documentBody(people, doc(paragraph('x')), { files: [{ fileId: id }] })),
      ]);
      expect(deleted.status).toBe(204);
      expect([202, 410]).toContain(accepted.status);
      const links = await rows(app.em(), `select 1 from file_links where file_id = ?`, [id]);
      expect(links).toHaveLength(accepted.status === 202 ? 1 : 0);
    }
    await untilAccountSettled(app, user);
  });

  it('stays while a scheduled email brings it', async () => {
    const id = await upload();
    const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    const { body: planned } = await user.agent
      .post('/api/scheduled-sends')
      .send({ send: documentBody(people, doc(paragraph('x')), { files: [{ fileId: id }] }), at, timeZone: 'UTC' })
      .expect(201);
    for (const written of [id, id.toUpperCase()]) {
      const { body: refused } = await user.agent.delete(`/api/files/${written}`).expect(409);
      expect(refused.code).toBe('file_in_use');
    }
    await user.agent.post(`/api/scheduled-sends/${planned.id as string}/cancel`).expect(200);
    await user.agent.delete(`/api/files/${id}`).expect(204);
  });
});
