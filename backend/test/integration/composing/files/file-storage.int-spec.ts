import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../../src/shared/retention/retention.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import { Bucket } from '../../../kit/bucket.js';
import { FakeClamd } from '../../../kit/clamd.js';
import { untilAccountSettled } from '../../../kit/account-settled.js';
import { doc, paragraph } from '../../../kit/samples/documents.js';
import { linkIn } from '../../../kit/mail-catcher.js';
import { PNG } from '../../../kit/samples/pictures.js';
import { EICAR, pdf } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { documentBody, seedList, settled, startSending } from '../../sending/support.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

describe.each(['folder', 'bucket'])('files in a %s', (medium) => {
  let app: TestApp;
  let user: SignedUp;
  const bucket = new Bucket();
  const clamd = new FakeClamd();
  clamd.signatures.push(EICAR);

  beforeAll(async () => {
    const env: Record<string, string> = { CLAMD_URL: await clamd.listen() };
    // With the bucket, all downloads within five minutes of the send count as automatic.
    if (medium === 'bucket') Object.assign(env, { STORAGE_URL: await bucket.listen(), LINK_GUARD_SECONDS: '300' });
    app = await startSending({}, { env });
    user = await app.user({ set: { tier: 'pro' } });
  });
  afterAll(() => closeAll(app, clamd, ...(medium === 'bucket' ? [bucket] : [])));

  const keys = (): string[] => {
    if (medium === 'bucket') return [...bucket.objects.keys()].sort();
    const root = app.settings.filesDir!;
    const folders = ['documents', 'pictures'].filter((folder) => existsSync(join(root, folder)));
    return folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)).sort();
  };
  const addOrphan = (key: string): void => {
    if (medium === 'bucket') return void bucket.objects.set(key, Buffer.from('x'));
    mkdirSync(join(app.settings.filesDir!, 'documents'), { recursive: true });
    writeFileSync(join(app.settings.filesDir!, key), 'x');
  };
  const upload = async (bytes: Buffer, kind: 'document' | 'image' = 'document', by = user) =>
    (
      await by.agent
        .post('/api/files')
        .set('Sec-Fetch-Site', 'same-origin')
        .field('kind', kind)
        .attach('file', bytes, kind === 'image' ? 'logo.png' : 'Resume.pdf')
        .expect(201)
    ).body as { id: string; url: string };
  const ready = (id: string, by = user) =>
    until(async () => (await by.agent.get(`/api/files/${id}`).expect(200)).body.state === 'ready');
  const bytesOf = (path: string) =>
    app
      .http()
      .post(path)
      .set('Sec-Fetch-Site', 'same-origin')
      .set('User-Agent', BROWSER)
      .buffer(true)
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => done(null, Buffer.concat(parts)));
      });

  it('are stored, served by us, replaced and deleted', async () => {
    const first = pdf(randomUUID());
    const { id } = await upload(first);
    await ready(id);
    expect(keys()).toContain(`documents/${id}`);
    const list = await seedList(app, user, { count: 1 });
    const subject = `Stored ${randomUUID()}`;
    const body = documentBody(list, doc(paragraph('x')), { subject, files: [{ fileId: id }] });
    const { body: accepted } = await user.agent.post('/api/send-email').send(body).expect(202);
    await settled(user, accepted.id as string);
    const link = linkIn(
      app.mails.all.find((mail) => mail.subject === subject)!,
      '/files/',
    ).pathname;
    const path = `/api${link.replace('/files/', '/files/links/')}/download`;
    expect((await bytesOf(path).expect(200)).body).toEqual(first);
    const { body: counted } = await user.agent.get(`/api/files/${id}`).expect(200);
    expect([counted.downloads, counted.automated]).toEqual(medium === 'bucket' ? [0, 1] : [1, 0]);
    const second = pdf(randomUUID());
    const { id: next } = await upload(second);
    await ready(next);
    await user.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(200);
    expect((await bytesOf(path).expect(200)).body).toEqual(second);
    expect(keys()).toEqual([`documents/${next}`]);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    await bytesOf(path).expect(410);
    expect(keys()).toEqual([]);
  });

  it('are pictures too', async () => {
    const { id, url } = await upload(PNG, 'image');
    await app.http().get(new URL(url).pathname).expect(200).expect('Content-Type', 'image/png');
    await user.agent.delete(`/api/files/${id}`).expect(204);
    await app.http().get(new URL(url).pathname).expect(404);
  });

  it('lose their bytes with a virus, and bytes without a row go at night', async () => {
    const { id } = await upload(EICAR);
    await until(() => !keys().includes(`documents/${id}`));
    addOrphan('documents/orphan');
    const { id: kept } = await upload(pdf(randomUUID()));
    await app.get(Retention).purge();
    expect(keys()).toEqual([`documents/${kept}`]);
    await user.agent.delete(`/api/files/${kept}`).expect(204);
  });

  it("are in their account's export, and go with the account", async () => {
    const own = await app.user();
    const bytes = pdf(randomUUID());
    const { id } = await upload(bytes, 'document', own);
    await ready(id, own);
    const { body } = await own.agent
      .get('/api/auth/export')
      .buffer(true)
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => done(null, Buffer.concat(parts)));
      })
      .expect(200);
    expect(await entryOf(body as Buffer, `files/${id}-Resume.pdf`)).toEqual(bytes);
    await untilAccountSettled(app, own);
    await rows(app.em(), `delete from users where id = ?`, [own.id]);
    await app.get(Retention).purge();
    expect(keys()).not.toContain(`documents/${id}`);
  });

  it('are not available while a bucket is away; a failed upload leaves no row, and deleted bytes go later', async () => {
    if (medium !== 'bucket') return;
    const { id } = await upload(pdf(randomUUID()));
    await ready(id);
    bucket.isAway = true;
    const own = await app.user();
    const form = () =>
      own.agent
        .post('/api/files')
        .set('Sec-Fetch-Site', 'same-origin')
        .field('kind', 'document')
        .attach('file', pdf('while it is away'), 'x.pdf');
    const { body } = await form().expect(503);
    expect(body.code).toBe('unavailable');
    expect((await own.agent.get('/api/files').expect(200)).body).toEqual([]);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    bucket.isAway = false;
    expect(keys()).toContain(`documents/${id}`);
    await app.get(Retention).purge();
    expect(keys()).not.toContain(`documents/${id}`);
    await form().expect(201);
    expect((await own.agent.get('/api/files').expect(200)).body).toHaveLength(1);
  });

  it('are asked for with a signature', () => expect(bucket.unsigned).toBe(0));
});

async function entryOf(archive: Buffer, name: string): Promise<Buffer | null> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue;
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }
  return null;
}
