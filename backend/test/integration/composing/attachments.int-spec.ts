import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { AttachmentRegistry } from '../../../src/modules/delivery/index.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import { closeAll, type TestApp } from '../../kit/app.js';
import { doc, paragraph } from '../../kit/documents.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { docx, pdf } from '../../kit/uploads.js';
import { until } from '../../kit/until.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { verifyDkim } from '../email/verify-dkim.js';
import { documentBody, seedList, type SeededList, sendBody, settled, startSending } from '../sending/support.js';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const DNS = { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };
const MB = 1024 * 1024;
const NAMES = ['Résumé, Zoë "5 years"; Java.pdf', 'סיכום קורות חיים.pdf', `${'x'.repeat(190)}.pdf`, '履歴書.pdf'];

interface Part {
  filename?: string;
  contentType: string;
  contentDisposition: string;
  content: Buffer;
}
const parts = async (raw: string): Promise<Part[]> =>
  ((await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as { attachments: Part[] }).attachments;
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each(['pipelined', 'nodemailer'])('files attached to an email, by the %s client', (client) => {
  const sink = new SmtpSink();
  let app: TestApp;
  let user: SignedUp;
  let people: SeededList;

  beforeAll(async () => {
    app = await startSending(
      {},
      {
        env: {
          SMTP_URL: `${await sink.listen()}?client=${client}`,
          DKIM_DOMAIN: 'staffcast.test',
          DKIM_SELECTOR: 'k1',
          DKIM_PRIVATE_KEY: keys.privateKey,
          ATTACHMENT_BUDGET_MB: '10',
        },
      },
    );
    user = await app.user({ set: { tier: 'pro' } });
    people = await seedList(app, user, { count: 3 });
  });
  afterAll(() => closeAll(app, sink));

  const upload = async (bytes: Buffer = pdf(randomUUID()), name = 'Resume.pdf', by = user) =>
    (
      await by.agent
        .post('/api/files')
        .set('Sec-Fetch-Site', 'same-origin')
        .field('kind', 'document')
        .attach('file', bytes, name)
        .expect(201)
    ).body.id as string;
  /** A PDF of so many bytes, none of which is by chance a name that PDFs are refused for. */
  const large = (bytes: number): Buffer =>
    pdf(
      randomBytes(bytes)
        .toString('hex')
        .slice(0, bytes - pdf('').length),
    );
  const attached = (...ids: string[]) => ids.map((fileId) => ({ fileId, as: 'attachment' }));
  const accept = async (body: object) =>
    (await user.agent.post('/api/send-email').send(body).expect(202)).body.id as string;
  const mailsOf = (subject: string) => sink.stored.filter(({ raw }) => raw.includes(subject)).map(({ raw }) => raw);
  const bytesThere = (fileId: string) => existsSync(join(app.settings.filesDir!, 'documents', fileId));
  const unique = (what: string) => `${what}-${randomUUID()}`;

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
      // A plain text stays one.
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
    await rows(app.em(), `update test_mails set next_attempt_at = now() where status = 'queued'`);
    const latest = await until(async () => {
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

  describe('while the email is under way', () => {
    /** Accepts an email that cannot leave yet. */
    async function waiting(files: object[], what: string) {
      sink.unplug();
      const subject = unique(what);
      return { subject, id: await accept(sendBody(people, { subject, files })) };
    }
    const purge = () => app.get(Retention).purge();

    it('are sent although they are deleted or replaced since, and go when it has ended', async () => {
      const [old, kept] = [pdf(randomUUID()), pdf(randomUUID())];
      const [replaced, deleted] = [await upload(old), await upload(kept, 'Candidate.pdf')];
      const { subject, id } = await waiting(attached(replaced, deleted), 'Held');
      const next = await upload(pdf(randomUUID()));
      await user.agent.post(`/api/files/${replaced}/replace`).send({ fileId: next }).expect(200);
      await user.agent.delete(`/api/files/${deleted}`).expect(204);
      await purge();
      expect([bytesThere(replaced), bytesThere(deleted)]).toEqual([true, true]);
      await sink.plugIn();
      expect((await settled(user, id)).counts.sent).toBe(3);
      for (const raw of mailsOf(subject)) {
        const found = await parts(raw);
        expect(found.map(({ content }) => sha(content))).toEqual([sha(old), sha(kept)]);
        expect(found[1]!.filename).toBe('Candidate.pdf');
      }
      await purge();
      expect([bytesThere(replaced), bytesThere(deleted)]).toEqual([false, false]);
      expect(await rows(app.em(), `select name from send_attachments where file_id = ?`, [deleted])).toEqual([
        { name: '' },
      ]);
      expect((await user.agent.get(`/api/email-history/${id}`).expect(200)).body.files[1]).toMatchObject({ name: '' });
    });

    it('wait with it while the storage is away, and nobody fails', async () => {
      const bytes = pdf(randomUUID());
      const { subject, id } = await waiting(attached(await upload(bytes)), 'Away');
      const folder = join(app.settings.filesDir!, 'documents');
      renameSync(folder, `${folder}.away`);
      await sink.plugIn();
      const other = unique('Meanwhile');
      await settled(user, await accept(sendBody(people, { subject: other })));
      expect(mailsOf(other)).toHaveLength(3);
      expect(mailsOf(subject)).toHaveLength(0);
      const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
      expect([body.status, body.counts.queued, body.counts.failed]).toEqual(['pending', 3, 0]);
      renameSync(`${folder}.away`, folder);
      expect((await settled(user, id)).counts.sent).toBe(3);
      expect(await Promise.all(mailsOf(subject).map(async (raw) => sha((await parts(raw))[0]!.content)))).toEqual(
        Array(3).fill(sha(bytes)),
      );
    });

    it.each([
      ['taken down', `taken_down_at = now()`, 'An attached file was taken down'],
      ['found to hold a virus', `scan = 'infected'`, 'A virus was found in an attached file'],
    ])(
      'stop the rest of it where one is %s, which its recipients and its user are told',
      async (_what, change, text) => {
        const file = await upload();
        // Nothing is prepared without the bytes, so nothing is on its way when the file is withdrawn.
        const folder = join(app.settings.filesDir!, 'documents');
        renameSync(folder, `${folder}.away`);
        const subject = unique('Withdrawn');
        const id = await accept(sendBody(people, { subject, files: attached(file) }));
        await rows(app.em(), `update files set ${change} where id = ?`, [file]);
        await until('a worker knows it', () => app.get(AttachmentRegistry).withdrawalOf(id));
        renameSync(`${folder}.away`, folder);
        expect((await settled(user, id)).status).toBe('failed');
        expect(mailsOf(subject)).toHaveLength(0);
        const { body: log } = await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200);
        expect((log as { status: string; detail: string }[]).map(({ status, detail }) => [status, detail])).toEqual(
          Array(3).fill(['skipped', text]),
        );
        const { body: notices } = await user.agent.get('/api/notifications').expect(200);
        expect(JSON.stringify(notices)).toContain('Send stopped: an attached file was taken down or contains a virus');
      },
    );
  });

  it('are needed for a retry: one that was deleted since refuses it', async () => {
    const [there, gone] = [await upload(), await upload()];
    const list = await seedList(app, user, { addresses: ['full-a@people.test', 'ok@people.test'] });
    sink.answer = (address) => (address.startsWith('full') ? '552 5.2.2 mailbox full' : undefined);
    const [kept, lost] = [
      await accept(sendBody(list, { subject: unique('Kept'), files: attached(there) })),
      await accept(sendBody(list, { subject: unique('Lost'), files: attached(gone) })),
    ];
    for (const id of [kept, lost]) await settled(user, id);
    sink.answer = () => undefined;
    await user.agent.delete(`/api/files/${gone}`).expect(204);
    const entryOf = async (id: string) => (await user.agent.get(`/api/email-history/${id}`).expect(200)).body.retryable;
    expect([await entryOf(kept), await entryOf(lost)]).toEqual([1, 0]);
    const { body: refused } = await user.agent.post(`/api/email-history/${lost}/retry`).expect(410);
    expect(refused.code).toBe('file_gone');
    expect((await user.agent.post(`/api/email-history/${kept}/retry`)).body).toEqual({ retried: 1 });
    expect((await settled(user, kept)).counts.sent).toBe(2);
  });

  it('leave with an account that is deleted while its email waits, and no bytes stay', async () => {
    const leaver = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, leaver, { count: 3 });
    const file = await upload(undefined, 'Mine.pdf', leaver);
    sink.unplug();
    const subject = unique('Leaving');
    await leaver.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject, files: attached(file) }))
      .expect(202);
    await leaver.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await sink.plugIn();
    await until(async () => (await rows(app.em(), `select 1 from users where id = ?`, [leaver.id])).length === 0);
    await app.get(Retention).purge();
    expect(mailsOf(subject)).toEqual([]);
    expect(await rows(app.em(), `select 1 from files where id = ?`, [file])).toEqual([]);
    expect(bytesThere(file)).toBe(false);
  });

  it('leave with the account, and no bytes stay', async () => {
    const leaver = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, leaver, { count: 1 });
    const file = await upload(undefined, 'Mine.pdf', leaver);
    const body = sendBody(list, { subject: unique('Mine'), files: attached(file) });
    await user.agent
      .post('/api/send-email')
      .send(sendBody(people, { files: attached(file) }))
      .expect(404);
    const { body: accepted } = await leaver.agent.post('/api/send-email').send(body).expect(202);
    await settled(leaver, accepted.id as string);
    await leaver.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await until(
      'it is erased',
      async () => (await rows(app.em(), `select 1 from users where id = ?`, [leaver.id])).length === 0,
    );
    await app.get(Retention).purge();
    expect(await rows(app.em(), `select 1 from send_attachments where file_id = ?`, [file])).toEqual([]);
    expect(readdirSync(join(app.settings.filesDir!, 'documents'))).not.toContain(file);
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
    const { body: file } = await user.agent
      .post('/api/files')
      .set('Sec-Fetch-Site', 'same-origin')
      .field('kind', 'document')
      .attach('file', Buffer.alloc(2 * MB, 'a'), 'Resume.txt')
      .expect(201);
    const body = sendBody(lists, { files: [{ fileId: file.id as string, as: 'attachment' }] });
    const { body: refused } = await user.agent.post('/api/send-email').send(body).expect(400);
    expect(refused.code).toBe('attachment_too_large');
    const { body: check } = await user.agent.post('/api/send-email/check').send(body).expect(200);
    expect((check.items as { code: string; level: string }[]).find(({ code }) => code === 'attachments')?.level).toBe(
      'error',
    );
  });
});
