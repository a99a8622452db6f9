import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { FileStorage } from '../../../src/shared/storage/file-storage.js';
import type { TestApp } from '../../kit/app.js';
import { untilAccountSettled } from '../../kit/account-settled.js';
import { doc, paragraph } from '../../kit/documents.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { pdf } from '../../kit/uploads.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { documentBody, seedList, type SeededList, sendBody, settled, startSending } from '../sending/support.js';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

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

const upload = async (name = 'Resume, Java developer.pdf', by = user) =>
  (
    await by.agent
      .post('/api/files')
      .set('Sec-Fetch-Site', 'same-origin')
      .field('kind', 'document')
      .attach('file', pdf(randomUUID()), name)
      .expect(201)
  ).body.id as string;
const fileLink = (fileId: string, label = ''): { type: string; attrs: object } => ({
  type: 'fileLink',
  attrs: { fileId, label },
});
const tokenOf = (url: URL): string => /^\/files\/([\w-]{43})/.exec(url.pathname)![1]!;
const info = (token: string) => app.http().get(`/api/files/links/${token}`);
const download = (token: string, agent: string | null = BROWSER) => {
  const call = app.http().post(`/api/files/links/${token}/download`).set('Sec-Fetch-Site', 'same-origin');
  return agent === null ? call : call.set('User-Agent', agent);
};
const counts = async (id: string) => {
  const { body } = await user.agent.get(`/api/files/${id}`).expect(200);
  return { usedIn: body.usedIn, downloads: body.downloads, automated: body.automated };
};

/** Sends a document with a file. @returns the token of its link, and the mail */
async function sent(fileId: string, extra: object = {}, by = user, list = people) {
  const subject = `Files ${randomUUID()}`;
  const body = documentBody(list, doc(paragraph('Please see below.')), { subject, files: [{ fileId }], ...extra });
  const { body: accepted } = await by.agent.post('/api/send-email').send(body).expect(202);
  await settled(by, accepted.id as string);
  const mails = app.mails.all.filter((mail) => mail.subject === subject);
  return { token: tokenOf(linkIn(mails[0]!, '/files/')), mails, sendId: accepted.id as string, subject };
}

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

describe('the link to a file', () => {
  it('is downloaded and never shown, by whoever has it', async () => {
    const id = await upload('Résumé; "x".pdf');
    const { token } = await sent(id);
    const { headers, body } = await download(token)
      .buffer(true)
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => done(null, Buffer.concat(parts)));
      })
      .expect(200);
    expect((body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename=/);
    expect(headers['content-disposition']).toContain(`filename*=utf-8''R%C3%A9sum%C3%A9`.toLowerCase().slice(0, 10));
    expect(headers['set-cookie']).toBeUndefined();
    expect(await counts(id)).toMatchObject({ downloads: 1, automated: 0 });
  });

  it('counts people apart from programs, and nothing for reading', async () => {
    const id = await upload();
    const { token } = await sent(id);
    for (const agent of [null, '', 'Mozilla/5.0', 'Barracuda Sentinel']) await download(token, agent).expect(200);
    for (const method of ['get', 'head'] as const) {
      await app.http()[method](`/api/files/links/${token}`).set('User-Agent', BROWSER).expect(200);
      await app.http()[method](`/api/files/links/${token}/download`).expect(404);
      await app.http()[method](`/files/${token}`);
    }
    expect(await counts(id)).toMatchObject({ downloads: 0, automated: 4 });
    await Promise.all(Array.from({ length: 200 }, () => download(token).expect(200)));
    expect(await counts(id)).toMatchObject({ downloads: 200, automated: 4 });
  });

  it('is gone once it is stopped, expired, its file deleted or its account suspended', async () => {
    const id = await upload();
    const other = await app.user({ set: { tier: 'pro' } });
    const theirs = await seedList(app, other, { addresses: ['one@other.test'] });
    const gone = async (token: string, details?: object) => {
      const { body } = await info(token).expect(410);
      expect(body).toMatchObject({
        code: 'file_gone',
        message: 'This file is no longer available.',
        ...(details && { details }),
      });
      await download(token).expect(410);
    };
    const stopped = await sent(id);
    const expired = await sent(id);
    const open = await sent(id);
    const { body: file } = await user.agent.get(`/api/files/${id}`).expect(200);
    const linkOf = (sendId: string) =>
      (file.links as { id: string; sendId: string }[]).find((link) => link.sendId === sendId)!.id;
    const path = `/api/file-links/${linkOf(stopped.sendId)}`;
    await stranger.agent.patch(path).send({ revoked: true }).expect(404);
    await user.agent.patch(path).send({}).expect(400);
    await user.agent.patch(path).send({ revoked: false }).expect(400);
    await user.agent.patch(path).send({ revoked: true, expiresInDays: 7 }).expect(400);
    expect((await user.agent.patch(path).send({ revoked: true }).expect(200)).body.revokedAt).toEqual(
      expect.any(String),
    );
    await gone(stopped.token, { senderName: 'Dana Cole', senderEmail: user.email });
    await user.agent.patch(path).send({ expiresInDays: 90 }).expect(410);

    await rows(app.em(), `update file_links set expires_at = now() - interval '1 hour' where token = ?`, [
      expired.token,
    ]);
    await gone(expired.token);
    await user.agent
      .patch(`/api/file-links/${linkOf(expired.sendId)}`)
      .send({ expiresInDays: 7 })
      .expect(200);
    await download(expired.token).expect(200);

    await user.agent.delete(`/api/files/${id}`).expect(204);
    await gone(open.token);

    const theirFile = await upload('x.pdf', other);
    const { token } = await sent(theirFile, {}, other, theirs);
    await rows(app.em(), `update users set suspended_at = now() where id = ?`, [other.id]);
    const { body } = await info(token).expect(410);
    expect(body.details).toBeUndefined();
    await download(token).expect(410);
  });

  it('that is none answers alike, whatever it looks like', async () => {
    for (const token of ['x', 'a'.repeat(43), '..%2f..%2fetc']) {
      await info(token).expect(404);
      await download(token).expect(404);
      await app.http().post(`/api/files/links/${token}/report`).set('Sec-Fetch-Site', 'same-origin').expect(404);
    }
  });

  it('leads to the new version of a file that was replaced', async () => {
    const id = await upload('Resume.pdf');
    const { token } = await sent(id);
    await download(token).expect(200);
    const next = await upload('Resume 2.pdf');
    await user.agent.post(`/api/files/${id}/replace`).send({ fileId: id }).expect(404);
    await stranger.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(404);
    const { body } = await user.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(200);
    expect(body).toMatchObject({ id, name: 'Resume.pdf', usedIn: 1, downloads: 1 });
    await user.agent.get(`/api/files/${next}`).expect(404);
    await download(token).expect(200);
    const used = await upload('Used.pdf');
    await sent(used);
    const { body: refused } = await user.agent.post(`/api/files/${id}/replace`).send({ fileId: used }).expect(409);
    expect(refused.code).toBe('file_in_use');
  });

  it('is not called gone while the storage is away or the file is replaced', async () => {
    const id = await upload();
    const { token } = await sent(id);
    const folder = join(app.settings.filesDir!, 'documents');
    renameSync(folder, `${folder}.away`);
    try {
      const { body } = await download(token).expect(503);
      expect(body.code).toBe('unavailable');
    } finally {
      renameSync(`${folder}.away`, folder);
    }
    expect((await counts(id)).downloads).toBe(0);
    const next = await upload();
    const storage = app.get(FileStorage);
    const stream = storage.stream.bind(storage);
    const replaced = jest.spyOn(storage, 'stream').mockImplementationOnce(async (key) => {
      await user.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(200);
      return stream(key);
    });
    await download(token).expect(200);
    replaced.mockRestore();
  });

  it('can be reported by readers, and taken down by an admin, which is recorded', async () => {
    const admin = await app.user({ admin: true });
    const id = await upload('Offer.pdf');
    const { token } = await sent(id);
    await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'x' }).expect(404);
    await app.http().post(`/api/files/links/${token}/report`).set('Sec-Fetch-Site', 'same-origin').expect(204);
    const { body: reported } = await admin.agent.get('/api/admin/files').expect(200);
    expect(reported).toMatchObject([{ id, name: 'Offer.pdf', reports: 1, userEmail: user.email, takenDownAt: null }]);
    expect((await admin.agent.get('/api/admin/overview').expect(200)).body).toMatchObject({
      reportedFiles: 1,
      filesScanned: false,
    });
    await user.agent.get('/api/admin/files').expect(403);
    const takeDown = () =>
      admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
    const [first, second] = await Promise.all([takeDown(), takeDown()]);
    expect(second.body).toEqual(first.body);
    await info(token).expect(410);
    expect((await user.agent.get(`/api/files/${id}`).expect(200)).body.state).toBe('gone');
    const events = await rows<{ reason: string }>(
      app.em(),
      `select reason from audit_events where kind = 'file.taken_down' and user_id = ?`,
      [user.id],
    );
    expect(events).toEqual([{ reason: 'Offer.pdf: Phishing' }]);
  });
});
