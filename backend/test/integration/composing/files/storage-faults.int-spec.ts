import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FileScans } from '../../../../src/modules/composing/files/scans/file-scans.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { FileStorage } from '../../../../src/shared/storage/file-storage.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import { Bucket } from '../../../kit/bucket.js';
import { FakeClamd } from '../../../kit/clamd.js';
import { doc, paragraph } from '../../../kit/samples/documents.js';
import { linkIn } from '../../../kit/mail-catcher.js';
import { pdf } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { documentBody, seedList, type SeededList, sendBody, settled, startSending } from '../../sending/support.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const bucket = new Bucket();
const clamd = new FakeClamd();
let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startSending({}, { env: { CLAMD_URL: await clamd.listen(), STORAGE_URL: await bucket.listen() } });
  user = await app.user({ set: { tier: 'pro' }, firstName: 'Dana', lastName: 'Cole' });
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => closeAll(app, bucket, clamd));

/** More bytes than the connections can buffer, so that a cut comes in the middle of the file. */
const large = (): Buffer => pdf(randomUUID().repeat(50_000));
const post = (bytes: Buffer, by = user) =>
  by.agent
    .post('/api/files')
    .set('Sec-Fetch-Site', 'same-origin')
    .field('kind', 'document')
    .attach('file', bytes, 'Resume.pdf');
const stateOf = async (id: string, by = user) =>
  ((await by.agent.get(`/api/files/${id}`).expect(200)).body as { state: string }).state;
const upload = async (bytes = large()) => {
  const { body } = await post(bytes).expect(201);
  await until(async () => (await stateOf(body.id as string)) === 'ready');
  return body.id as string;
};
const cutWhile = async (what: 'one upload' | 'uploads' | 'downloads', act: () => Promise<unknown>): Promise<void> => {
  const before = bucket.cutBodies;
  bucket.cuts = what;
  try {
    await act();
    expect(bucket.cutBodies).toBeGreaterThan(before);
  } finally {
    bucket.cuts = 'none';
  }
};
const entryOf = async (id: string) => (await user.agent.get(`/api/email-history/${id}`).expect(200)).body;

/** Sends a link to a file. @returns the API path of its download */
async function linked(fileId: string): Promise<{ path: string; token: string }> {
  const subject = `Linked ${randomUUID()}`;
  const body = documentBody(people, doc(paragraph('x')), { subject, files: [{ fileId }] });
  const { body: accepted } = await user.agent.post('/api/send-email').send(body).expect(202);
  await settled(user, accepted.id as string);
  const [, , token] = linkIn(
    app.mails.all.find((mail) => mail.subject === subject)!,
    '/files/',
  ).pathname.split('/');
  return { path: `/api/files/links/${token}/download`, token: token! };
}
const download = (path: string) =>
  app.http().post(path).set('Sec-Fetch-Site', 'same-origin').set('User-Agent', BROWSER).buffer(true);

describe('a bucket that cuts the connection', () => {
  it('in the middle of an upload leaves neither a row nor bytes, and the next try stores it', async () => {
    const own = await app.user();
    const bytes = large();
    await cutWhile('uploads', () => post(bytes, own).expect(503));
    expect(await rows(app.em(), `select 1 from files where user_id = ?`, [own.id])).toEqual([]);
    expect((await own.agent.get('/api/files/space').expect(200)).body.usedBytes).toBe(0);
    const { body } = await post(bytes, own).expect(201);
    expect(bucket.objects.get(`documents/${body.id as string}`)).toEqual(bytes);
  });

  it('once, as an idle connection that is used again, fails no upload', async () => {
    const bytes = large();
    await cutWhile('one upload', async () => {
      const { body } = await post(bytes).expect(201);
      expect(bucket.objects.get(`documents/${body.id as string}`)).toEqual(bytes);
    });
  });

  it('in the middle of a download ends it, and that one is not counted', async () => {
    const id = await upload();
    const { path, token } = await linked(id);
    const counts = async () => {
      const [link] = await rows<{ downloads: number; automated: number; last: Date | null }>(
        app.em(),
        `select downloads, automated, last_download_at as last from file_links where token = ?`,
        [token],
      );
      return link!;
    };
    await cutWhile('downloads', () => expect(download(path)).rejects.toThrow());
    await until('it is taken back', async () => {
      const { downloads, automated, last } = await counts();
      return last !== null && downloads + automated === 0;
    });
    await download(path).expect(200);
    expect(await counts()).toMatchObject({ downloads: 1, automated: 0 });
  });

  it('in the middle of a scan calls nothing clean', async () => {
    let id = '';
    await cutWhile('downloads', async () => {
      id = (await post(large()).expect(201)).body.id as string;
      await until(() => bucket.cutBodies > 0);
      await expect(app.get(FileScans).scan(id)).rejects.toThrow();
      expect(await stateOf(id)).toBe('checking');
    });
    await app.get(FileScans).scan(id);
    expect(await stateOf(id)).toBe('ready');
  });
});

describe('an email whose attached files cannot be read', () => {
  const accept = async (fileId: string, subject: string) =>
    (
      await user.agent
        .post('/api/send-email')
        .send(sendBody(people, { subject, files: [{ fileId, as: 'attachment' }] }))
        .expect(202)
    ).body.id as string;
  const waits = (id: string) => until('it waits', async () => (await entryOf(id)).filesWait as object | undefined);

  it('says that it waits while the connection is cut, and goes on by itself', async () => {
    const fileId = await upload();
    let id = '';
    await cutWhile('downloads', async () => {
      id = await accept(fileId, `Cut ${randomUUID()}`);
      expect(await waits(id)).toEqual({ since: expect.any(String), givenUpAt: null });
      expect(await entryOf(id)).toMatchObject({ status: 'pending', counts: { queued: 2, failed: 0 } });
    });
    expect((await settled(user, id)).counts.sent).toBe(2);
    expect((await entryOf(id)).filesWait).toBeNull();
  });

  it('says when it gives up where the bucket no longer has one, and goes on once it is back', async () => {
    const fileId = await upload();
    const key = `documents/${fileId}`;
    const bytes = bucket.objects.get(key)!;
    bucket.objects.delete(key);
    const id = await accept(fileId, `Missing ${randomUUID()}`);
    const found = (await waits(id)) as { since: string; givenUpAt: string };
    expect(new Date(found.givenUpAt).getTime() - new Date(found.since).getTime()).toBe(72 * 3_600_000);
    bucket.objects.set(key, bytes);
    expect((await settled(user, id)).counts.sent).toBe(2);
    const [times] = await rows(
      app.em(),
      `select files_unread_at as unread, files_missing_at as missing, files_last_missing_at as "lastMissing" from email_history where id = ?`,
      [id],
    );
    expect(times).toEqual({ unread: null, missing: null, lastMissing: null });
  });

  it('does not count the time in which nothing has looked, as on a weekend without workers', async () => {
    const fileId = await upload();
    const key = `documents/${fileId}`;
    const bytes = bucket.objects.get(key)!;
    bucket.objects.delete(key);
    const id = await accept(fileId, `Weekend ${randomUUID()}`);
    await waits(id);
    await rows(
      app.em(),
      `update email_history set files_missing_at = now() - interval '73 hours', files_last_missing_at = now() - interval '72 hours' where id = ? returning id`,
      [id],
    );
    // One hour before the gap and one hour of the gap count.
    await until(
      'it is looked for again',
      async () =>
        (
          await rows(
            app.em(),
            `select 1 from email_history where id = ? and files_missing_at between now() - interval '3 hours' and now() - interval '119 minutes'`,
            [id],
          )
        ).length > 0,
    );
    expect((await waits(id)) as object).toHaveProperty('givenUpAt', expect.any(String));
    expect(await entryOf(id)).toMatchObject({ status: 'pending', counts: { queued: 2, skipped: 0 } });
    bucket.objects.set(key, bytes);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 2, skipped: 0 });
  });

  it('is given up in the end also where it is looked for less than once an hour', async () => {
    const fileId = await upload();
    bucket.objects.delete(`documents/${fileId}`);
    const id = await accept(fileId, `Seldom ${randomUUID()}`);
    await waits(id);
    await rows(
      app.em(),
      `update email_history set files_missing_at = now() - interval '73 hours', files_last_missing_at = now() - interval '90 minutes' where id = ? returning id`,
      [id],
    );
    expect((await settled(user, id)).counts).toMatchObject({ sent: 0, skipped: 2 });
  });

  it('goes on although its files were found missing three days ago, where they are back at the next try', async () => {
    const fileId = await upload();
    const key = `documents/${fileId}`;
    const bytes = bucket.objects.get(key)!;
    bucket.objects.delete(key);
    const id = await accept(fileId, `Back ${randomUUID()}`);
    await waits(id);
    bucket.objects.set(key, bytes);
    await rows(
      app.em(),
      `update email_history set files_missing_at = now() - interval '73 hours' where id = ? returning id`,
      [id],
    );
    expect((await settled(user, id)).counts).toMatchObject({ sent: 2, skipped: 0 });
  });

  it('skips its recipients after three days without the bytes, tells them and its user why, and mails them in a retry once they are uploaded again', async () => {
    const bytes = large();
    const fileId = await upload(bytes);
    bucket.objects.delete(`documents/${fileId}`);
    const subject = `Lost ${randomUUID()}`;
    const id = await accept(fileId, subject);
    await waits(id);
    await rows(
      app.em(),
      `update email_history set files_missing_at = now() - interval '73 hours' where id = ? returning id`,
      [id],
    );
    expect((await settled(user, id)).status).toBe('failed');
    expect(app.mails.all.filter((mail) => mail.subject === subject)).toEqual([]);
    const { body: log } = await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200);
    expect((log as { status: string; detail: string }[]).map(({ status, detail }) => [status, detail])).toEqual(
      Array(2).fill(['skipped', 'An attached file is no longer stored']),
    );
    const { body: notices } = await user.agent.get('/api/notifications').expect(200);
    expect(JSON.stringify(notices)).toContain('Send stopped: an attached file is no longer stored');
    const retry = () => user.agent.post(`/api/email-history/${id}/retry`);
    expect((await entryOf(id)).retryable).toBe(0);
    expect((await retry().expect(410)).body).toMatchObject({
      code: 'file_gone',
      message: 'An attached file is no longer stored. Upload the same file again, then retry',
    });
    bucket.objects.set(`documents/${fileId}`, bytes.subarray(0, 100));
    expect((await entryOf(id)).retryable).toBe(0);
    expect((await post(bytes).expect(200)).body.id).toBe(fileId);
    expect((await entryOf(id)).retryable).toBe(2);
    expect((await retry()).body).toEqual({ retried: 2 });
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 2, skipped: 0 } });
  });
});

describe('a link that is stopped while its file is opened', () => {
  it('answers that it is gone, with the sender to ask', async () => {
    const { path, token } = await linked(await upload());
    const storage = app.get(FileStorage);
    const stream = storage.stream.bind(storage);
    const spy = jest.spyOn(storage, 'stream').mockImplementationOnce(async (key) => {
      await rows(app.em(), `update file_links set revoked_at = now() where token = ? returning id`, [token]);
      return stream(key);
    });
    const { body } = await download(path).expect(410);
    spy.mockRestore();
    expect(body).toMatchObject({
      code: 'file_gone',
      details: { senderName: 'Dana Cole', senderEmail: user.email },
    });
  });
});
