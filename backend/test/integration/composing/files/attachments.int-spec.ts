import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { inTransaction, rows } from '../../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import { doc, paragraph } from '../../../kit/samples/documents.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { docx } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import { type SignedUp } from '../../../kit/users.js';
import { verifyDkim } from '../../email/verify-dkim.js';
import { documentBody, seedList, type SeededList, sendBody, settled, startSending } from '../../sending/support.js';
import { uploadFile } from '../../../kit/upload-file.js';
import {
  attached,
  attachmentHelpers,
  DNS,
  large,
  MB,
  parts,
  sha,
  startWithAttachments,
  unique,
} from './attachments-support.js';

const NAMES = ['Résumé, Zoë "5 years"; Java.pdf', 'סיכום קורות חיים.pdf', `${'x'.repeat(190)}.pdf`, '履歴書.pdf'];

describe.each(['pipelined', 'nodemailer'])('files attached to an email, by the %s client', (client) => {
  const sink = new SmtpSink();
  let app: TestApp;
  let user: SignedUp;
  let people: SeededList;

  beforeAll(async () => {
    app = await startWithAttachments(sink, client);
    user = await app.user({ set: { tier: 'pro' } });
    people = await seedList(app, user, { count: 3 });
  });
  afterAll(() => closeAll(app, sink));

  const { upload, accept, mailsOf } = attachmentHelpers(() => ({ app, user, sink }));

  it('arrive byte for byte, signed, beside the text and its one-click headers', async () => {
    const [first, second] = [large(300_000), await docx(randomUUID())];
    const ids = [await upload(first, NAMES[0]), await upload(second, 'Three consultants.docx')];
    const subject = unique('Attached');
    const id = await accept(
      documentBody(people, doc(paragraph('See the files.')), { subject, files: attached(...ids) }),
    );
    const { status, counts } = await settled(user, id);
    expect([status, counts.sent]).toEqual(['sent', 3]);
    const mails = mailsOf(subject);
    expect(mails).toHaveLength(3);
    for (const raw of mails) {
      const found = await parts(raw);
      expect(found.map(({ content }) => sha(content))).toEqual([sha(first), sha(second)]);
      expect(found.map(({ filename }) => filename)).toEqual([NAMES[0], 'Three consultants.docx']);
      expect(found.map(({ contentType, contentDisposition }) => [contentType, contentDisposition])).toEqual([
        ['application/pdf', 'attachment'],
        ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'attachment'],
      ]);
      expect(await verifyDkim(raw, DNS)).toMatchObject({ verdict: 'pass' });
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      expect(raw).toMatch(/^Content-Type: multipart\/mixed;/m);
      expect(raw).not.toContain('/files/');
      const { text } = (await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as { text: string };
      expect(text).toContain('See the files.');
      expect(text).not.toContain('Files\n');
    }
    const { body: entry } = await user.agent.get(`/api/email-history/${id}`).expect(200);
    expect(entry.files).toEqual([
      {
        fileId: ids[0],
        as: 'attachment',
        name: NAMES[0],
        mediaType: 'application/pdf',
        byteSize: first.length,
        downloads: null,
        automated: null,
      },
      expect.objectContaining({ fileId: ids[1], as: 'attachment', name: 'Three consultants.docx' }),
    ]);
    const { body: copy } = await user.agent.post('/api/drafts').send({ fromSendId: id }).expect(201);
    expect(copy.files).toEqual(ids.map((fileId) => ({ fileId, as: 'attachment', expiresInDays: 30 })));
    expect((await user.agent.get(`/api/files/${ids[0]!}`).expect(200)).body).toMatchObject({
      usedIn: 1,
      expiresAt: null,
    });
  });

  it('keep names in any script and of any length', async () => {
    for (const name of NAMES) {
      const subject = unique('Named');
      const id = await accept(sendBody(people, { subject, files: attached(await upload(undefined, name)) }));
      await settled(user, id);
      const [raw] = mailsOf(subject);
      expect((await parts(raw!)).map(({ filename }) => filename)).toEqual([name]);
      expect(await verifyDkim(raw!, DNS)).toMatchObject({ verdict: 'pass' });
      // A plain text remains plain text.
      expect(raw).toContain('are you free?');
    }
  });

  it('go along with links, also to the same file', async () => {
    const [both, linked] = [await upload(), await upload(undefined, 'Linked.pdf')];
    const placed = doc(paragraph({ type: 'fileLink', attrs: { fileId: both, label: 'the resume' } } as never));
    const subject = unique('Both');
    const files = [...attached(both), { fileId: linked, as: 'link' }];
    const id = await accept(documentBody(people, placed, { subject, files }));
    await settled(user, id);
    const raw = mailsOf(subject)[0]!;
    expect(await parts(raw)).toHaveLength(1);
    const { text } = (await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as { text: string };
    expect(text).toMatch(/the resume \(http:\/\/staffcast\.test\/files\/[\w-]{43}\)/);
    expect(text).toMatch(/Files\n- Linked \(PDF/);
    const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
    expect((body.files as { fileId: string; as: string }[]).map(({ fileId, as }) => [fileId, as])).toEqual([
      [both, 'attachment'],
      [linked, 'link'],
    ]);
  });

  it('are in a test as they are in the send', async () => {
    const bytes = large(50_000);
    const subject = unique('Tried');
    const body = { ...sendBody(people, { subject, files: attached(await upload(bytes)) }), to: [user.email] };
    await user.agent.post('/api/send-email/test').send(body).expect(202);
    const raw = await until(() => mailsOf(subject)[0]);
    expect((await parts(raw!)).map(({ content }) => sha(content))).toEqual([sha(bytes)]);
    expect(await verifyDkim(raw!, DNS)).toMatchObject({ verdict: 'pass' });
  });

  it('refuse a test whose file was deleted before it went out', async () => {
    const file = await upload();
    const subject = unique('Gone');
    sink.unplug();
    const body = { ...sendBody(people, { subject, files: attached(file) }), to: [user.email] };
    await user.agent.post('/api/send-email/test').send(body).expect(202);
    await user.agent.delete(`/api/files/${file}`).expect(204);
    await sink.plugIn();
    const latest = await until(async () => {
      // Repeated, because the first attempt may fail only after this update and then sets next_attempt_at again.
      await rows(app.em(), `update test_mails set next_attempt_at = now() where status = 'queued'`);
      const [found] = (await user.agent.get('/api/send-email/tests').expect(200)).body as {
        status: string;
        reason: string;
      }[];
      return found!.status === 'failed' ? found : undefined;
    });
    expect(latest!.reason).toBe('an attached file was deleted or replaced');
    expect(mailsOf(subject)).toEqual([]);
  });

  it('are limited by their size and by the number of people, before anything is counted', async () => {
    const [five, six] = [await seedList(app, user, { count: 5 }), await seedList(app, user, { count: 6 })];
    const id = await upload(large(2 * MB));
    const other = await upload();
    const previewOf = async (list: SeededList) =>
      (await user.agent.post('/api/send-email/preview').send(sendBody(list)).expect(200)).body
        .attachmentMaxBytes as number;
    expect(await previewOf(five)).toBe(2 * MB);
    expect(await previewOf(six)).toBe(Math.floor((10 * MB) / 6));
    const usedBefore = (await user.agent.get('/api/usage/today').expect(200)).body.emailsSent as string;
    const refused = async (list: SeededList, ids: string[], text: string) => {
      const body = sendBody(list, { subject: unique('Large'), files: attached(...ids) });
      const { body: answer } = await user.agent.post('/api/send-email').send(body).expect(400);
      expect([answer.code, answer.message]).toEqual(['attachment_too_large', text]);
      const { body: check } = await user.agent.post('/api/send-email/check').send(body).expect(200);
      expect((check.items as object[]).filter((item) => (item as { code: string }).code === 'attachments')).toEqual([
        { code: 'attachments', level: 'error', text },
      ]);
      const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
      const scheduled = await user.agent
        .post('/api/scheduled-sends')
        .send({ send: body, at, timeZone: 'UTC' })
        .expect(400);
      expect(scheduled.body.code).toBe('attachment_too_large');
    };
    await refused(six, [id], 'Attached files: up to 2 MB in all, and 5 recipients at this size. Use links.');
    await refused(five, [id, other], 'Attached files: up to 2 MB in all. Use links.');
    const kept = await rows(app.em(), `select 1 from email_history where subject like 'Large-%'`);
    expect(kept).toEqual([]);
    expect((await user.agent.get('/api/usage/today').expect(200)).body.emailsSent).toBe(usedBefore);
    const subject = unique('Fits');
    await settled(user, await accept(sendBody(five, { subject, files: attached(id) })));
    expect(mailsOf(subject)).toHaveLength(5);
  });

  it('are limited by the version that goes out, where a larger one comes while the email is accepted', async () => {
    const six = await seedList(app, user, { count: 6 });
    const [id, next] = [await upload(), await upload(large(2 * MB - 1))];
    const lock = `select pg_advisory_xact_lock(hashtextextended(?, 0))`;
    const answer = await inTransaction(app.em(), async (em) => {
      await rows(em, lock, [`send:${user.id}`]);
      const accepting = user.agent
        .post('/api/send-email')
        .send(sendBody(six, { subject: unique('Grown'), files: attached(id) }))
        .then((found) => found);
      const isWaiting = async () =>
        (await rows(app.em(), `select 1 from pg_locks where locktype = 'advisory' and not granted`)).length > 0;
      await until(isWaiting);
      await user.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(200);
      return () => accepting;
    });
    const { status, body } = await answer();
    expect([status, body.code]).toEqual([400, 'attachment_too_large']);
  });

  it('refuse a scheduled email at its time, and tell its user, where the list has grown', async () => {
    const list = await seedList(app, user, { count: 5 });
    const id = await upload(large(2 * MB - 1));
    const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    const { body: planned } = await user.agent
      .post('/api/scheduled-sends')
      .send({ send: sendBody(list, { subject: unique('Later'), files: attached(id) }), at, timeZone: 'UTC' })
      .expect(201);
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
       values ('p6@people.test', 'p6@people.test', sha256('p6@people.test'), 'job-posts', true, now(), ?, ?, 'none')`,
      [randomUUID(), list.id],
    );
    await rows(app.em(), `update scheduled_sends set due_at = now() - interval '1 second' where id = ?`, [planned.id]);
    const found = await until(async () => {
      const { body } = await user.agent.get(`/api/scheduled-sends/${planned.id as string}`).expect(200);
      return body.state === 'blocked' ? (body as { reason: unknown; reasonText?: string }) : undefined;
    });
    expect(JSON.stringify(found)).toContain('and 5 recipients at this size. Use links.');
  });
});

describe('files attached to an email of large lists', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startSending({ layOutAtOnce: 3 }, { env: { ATTACHMENT_BUDGET_MB: '10' } });
  });
  afterAll(() => app.close());

  it('are judged by the check as by the send, whose lists overlap', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const lists = [await seedList(app, user, { count: 4 }), await seedList(app, user, { count: 4 })];
    const { body: file } = await uploadFile(user, Buffer.alloc(2 * MB, 'a'), 'Resume.txt').expect(201);
    const body = sendBody(lists, { files: [{ fileId: file.id as string, as: 'attachment' }] });
    const { body: refused } = await user.agent.post('/api/send-email').send(body).expect(400);
    expect(refused.code).toBe('attachment_too_large');
    const { body: check } = await user.agent.post('/api/send-email/check').send(body).expect(200);
    expect((check.items as { code: string; level: string }[]).find(({ code }) => code === 'attachments')?.level).toBe(
      'error',
    );
  });
});
