import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Migration20261122210000_sent_pictures } from '../../../migrations/composing/Migration20261122210000_sent_pictures.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { doc, paragraph, table } from '../../kit/samples/documents.js';
import { JPEG, PNG, WEBP } from '../../kit/samples/pictures.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, sendBody } from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
let user: SignedUp;
let stranger: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [user, stranger] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

/** Uploads as a browser's form does. */
const form = (by = user) => by.agent.post('/api/files').set('Sec-Fetch-Site', 'same-origin');
const upload = (bytes: Buffer, name = 'logo.png', by = user) =>
  form(by).field('kind', 'image').attach('file', bytes, name);
const pathOf = (url: string): string => new URL(url).pathname;
const stored = (): string[] => readdirSync(join(app.settings.filesDir!, 'pictures'));

describe('a picture', () => {
  it('is stored without metadata and served to everyone under one address', async () => {
    const { body } = await upload(PNG, '../../x/lo\u202ego.png').expect(201);
    expect(body).toMatchObject({
      kind: 'image',
      name: 'logo.png',
      mediaType: 'image/png',
      width: 20,
      height: 12,
    });
    expect(body.url).toMatch(/^http:\/\/staffcast\.test\/media\/[\w-]{43}\.png$/);
    const { headers, body: bytes } = await app.http().get(pathOf(body.url)).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(Buffer.from(bytes as Buffer).includes('COMMENTSECRET')).toBe(false);
    await app.http().head(pathOf(body.url)).expect(200);
    await app.http().get(pathOf(body.url)).set('If-None-Match', headers['etag']!).expect(304);
    const again = await upload(PNG).expect(200);
    expect(again.body).toMatchObject({ id: body.id, url: body.url });
    const { body: other } = await upload(PNG, 'logo.png', stranger).expect(201);
    expect(other.url).not.toBe(body.url);
    expect((await upload(JPEG, 'photo.jpeg').expect(201)).body.url).toMatch(/\.jpg$/);
  });

  it('is recognised by its bytes', async () => {
    for (const [bytes, name, status] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'x.png', 415],
      [Buffer.from('GIF89a/*<script>*/=1'), 'x.png', 415],
      [Buffer.from('MZ\x90\0'), 'x.png', 415],
      [WEBP, 'x.png', 415],
      [PNG.subarray(0, 60), 'x.png', 400],
      [Buffer.alloc(0), 'x.png', 400],
      [Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]), 'x.png', 413],
    ] as const)
      await upload(Buffer.from(bytes), name).expect(status);
    await form().field('kind', 'document').attach('file', PNG, 'x.png').expect(415);
    await form().field('kind', 'program').attach('file', PNG, 'x.png').expect(400);
    await form().field('kind', 'image').expect(400);
    await user.agent.post('/api/files').send({ kind: 'image' }).expect(400);
    await app.http().post('/api/files').set('Sec-Fetch-Site', 'same-origin').attach('file', PNG, 'x.png').expect(401);
    const unverified = await app.user({ verified: false });
    await upload(PNG, 'x.png', unverified).expect(403);
  });

  it('is served under its own address only', async () => {
    const { body } = await upload(PNG);
    const path = pathOf(body.url);
    for (const wrong of [
      path.replace('.png', '.jpg'),
      path.replace('.png', ''),
      '/media/x.png',
      '/media/..%2fx.png',
      `/media/${'a'.repeat(43)}.png`,
    ])
      await app.http().get(wrong).expect(404);
  });

  it("can be used in its owner's documents only", async () => {
    const { body } = await upload(PNG);
    const image = (fileId: string) =>
      doc(paragraph('See'), {
        type: 'image',
        attrs: { fileId, alt: 'Our logo' },
      });
    const list = await seedList(app, user);
    const given = {
      ...sendBody(list),
      content: undefined,
      document: image(body.id),
    };
    const { body: preview } = await user.agent.post('/api/send-email/preview').send(given).expect(200);
    expect(preview.html).toContain(`<img src="${body.url as string}" alt="Our logo" width="20" height="12"`);
    expect(preview.text).toContain('Our logo');
    const theirs = await seedList(app, stranger);
    await stranger.agent
      .post('/api/send-email')
      .send({ ...given, emailListIds: [theirs.id] })
      .expect(404);
    await stranger.agent
      .post('/api/drafts')
      .send({ document: image(body.id) })
      .expect(404);
    await stranger.agent
      .post('/api/email-templates')
      .send({ name: 'x', document: image(body.id) })
      .expect(404);
    await user.agent
      .post('/api/drafts')
      .send({ document: image(body.id) })
      .expect(201);
  });

  it('is stored with both its bytes and its row, or not at all', async () => {
    const leaver = await app.user();
    const { body } = await upload(PNG, 'x.png', leaver).expect(201);
    const before = stored().length;
    await rows(app.em(), `delete from users where id = ?`, [leaver.id]);
    await rows(
      app.em(),
      `insert into files (user_id, kind, name, media_type, byte_size, sha256, storage_key, width, height, created_at)
       values (?, 'image', 'x', 'image/png', 1, 'x', 'pictures/x', 1, 1, now() - interval '2 days')`,
      [user.id],
    );
    await app.get(Retention).purge();
    expect(stored()).toHaveLength(before - 1);
    expect(stored()).not.toContain(body.id);
    expect(await rows(app.em(), `select id from files where stored_at is null`, [])).toEqual([]);
    await app.http().get(pathOf(body.url)).expect(404);
  });

  it('is listed for its owner, with its address, and for nobody else', async () => {
    const own = await app.user();
    const { body: first } = await upload(PNG, 'first.png', own).expect(201);
    const { body: second } = await upload(JPEG, 'second.jpg', own).expect(201);
    expect((await own.agent.get('/api/files').expect(200)).body).toEqual([second, first]);
    expect((await own.agent.get(`/api/files/${first.id as string}`).expect(200)).body).toEqual({ ...first, links: [] });
    expect((await stranger.agent.get('/api/files').expect(200)).body).not.toContainEqual(first);
    for (const id of [first.id as string, randomUUID(), 'nonsense']) {
      await stranger.agent.get(`/api/files/${id}`).expect(404);
      await stranger.agent.delete(`/api/files/${id}`).expect(404);
    }
    await app.http().get('/api/files').expect(401);
  });

  it('is deleted with its bytes where nothing uses it, and kept where a send, a draft or a template does', async () => {
    const own = await app.user({ set: { tier: 'pro' } });
    const { body } = await upload(PNG, 'x.png', own).expect(201);
    const id = body.id as string;
    const document = doc(paragraph('See'), table(['A'], [{ type: 'image', attrs: { fileId: id } }]));
    const refused = async (where: RegExp) => {
      const { body: answer } = await own.agent.delete(`/api/files/${id}`).expect(409);
      expect(answer).toMatchObject({ code: 'picture_in_use', message: expect.stringMatching(where) });
      await app.http().get(pathOf(body.url)).expect(200);
    };
    const { body: draft } = await own.agent.post('/api/drafts').send({ document }).expect(201);
    await refused(/draft/);
    const { body: template } = await own.agent.post('/api/email-templates').send({ name: 'T', document }).expect(201);
    await own.agent.delete(`/api/drafts/${draft.id as string}`).expect(204);
    await refused(/template/);
    const list = await seedList(app, own, { count: 1 });
    const send = { ...sendBody(list), content: undefined, document };
    const { body: sent } = await own.agent.post('/api/send-email').send(send).expect(202);
    await own.agent.delete(`/api/email-templates/${template.id as string}`).expect(204);
    await refused(/sent/);
    await untilAccountSettled(app, own);
    await rows(app.em(), `delete from email_history where id = ?`, [sent.id]);
    const before = stored().length;
    await own.agent.delete(`/api/files/${id}`).expect(204);
    expect(stored()).toHaveLength(before - 1);
    await app.http().get(pathOf(body.url)).expect(404);
    await own.agent.get(`/api/files/${id}`).expect(404);
    await own.agent.post('/api/drafts').send({ document }).expect(404);
    await own.agent.post('/api/send-email').send(send).expect(404);
  });

  it('is never used by something that is saved while it is deleted', async () => {
    const own = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, own, { count: 1 });
    for (let n = 0; n < 6; n++) {
      const { body } = await upload(n % 2 ? JPEG : PNG, 'x', own);
      const document = doc({ type: 'image', attrs: { fileId: body.id as string } });
      const [deleted, ...saves] = await Promise.all([
        own.agent.delete(`/api/files/${body.id as string}`),
        own.agent.post('/api/drafts').send({ document }),
        own.agent.post('/api/email-templates').send({ name: `T ${n}`, document }),
        own.agent.post('/api/send-email').send({ ...sendBody(list), content: undefined, document }),
      ]);
      const isKept = saves.some(({ status }) => status < 300);
      expect(deleted.status).toBe(isKept ? 409 : 204);
      for (const { status } of saves) expect(isKept ? [201, 202] : [404]).toContain(status);
      await untilAccountSettled(app, own);
      await rows(app.em(), `delete from email_drafts where user_id = ?`, [own.id]);
      await rows(app.em(), `delete from email_templates where owner_id = ?`, [own.id]);
      await rows(app.em(), `delete from email_history where user_id = ?`, [own.id]);
    }
  });

  it('of a send older than the table of sent pictures is found by reading each document once', async () => {
    const sender = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, sender, { count: 1 });
    const [png, jpeg] = [await upload(PNG, 'a.png', sender), await upload(JPEG, 'b.jpg', sender)].map(
      ({ body }) => body.id as string,
    );
    const image = (fileId: string) => ({ type: 'image', attrs: { fileId } });
    for (const shown of [[png!, jpeg!, png!], [jpeg!], []])
      await sender.agent
        .post('/api/send-email')
        .send({
          ...sendBody(list, { subject: `Pictures ${randomUUID()}` }),
          content: undefined,
          document: doc(paragraph('x'), ...shown.map(image)),
        })
        .expect(202);
    const noted = () => rows(app.em(), `select history_id, file_id from sent_pictures order by 1, 2`);
    const before = await noted();
    expect(before.length).toBeGreaterThanOrEqual(3);
    const migration = new Migration20261122210000_sent_pictures({} as never, {} as never);
    migration.up();
    const fill = migration.getQueries().find((query) => String(query).startsWith('insert')) as string;
    const plan = await rows<{ 'QUERY PLAN': string }>(app.em(), `explain ${fill}`);
    // The plan expands the ids before the join. As a condition of the join, a document would be read once for each
    // picture of its owner.
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('ProjectSet');
    await rows(app.em(), `delete from sent_pictures`);
    await rows(app.em(), fill);
    expect(await noted()).toEqual(before);
  });

  it('is deleted with its account, even where a send shows it', async () => {
    const own = await app.user({ set: { tier: 'pro' } });
    const { body } = await upload(PNG, 'x.png', own).expect(201);
    const list = await seedList(app, own, { count: 1 });
    const document = doc({ type: 'image', attrs: { fileId: body.id as string } });
    await own.agent
      .post('/api/send-email')
      .send({ ...sendBody(list), content: undefined, document })
      .expect(202);
    await untilAccountSettled(app, own);
    await rows(app.em(), `delete from users where id = ?`, [own.id]);
    await app.get(Retention).purge();
    await app.http().get(pathOf(body.url)).expect(404);
  });

  it('is limited to 500 an account', async () => {
    const own = await app.user();
    await rows(
      app.em(),
      `insert into files (user_id, kind, name, media_type, byte_size, sha256, storage_key, width, height, stored_at)
       select ?::uuid, 'image', 'x', 'image/png', 1, sha256(n::text::bytea), 'pictures/' || ? || n, 1, 1, now() from generate_series(1, 500) n`,
      [own.id, own.id],
    );
    const { body } = await upload(PNG, 'x.png', own).expect(409);
    expect(body).toMatchObject({ code: 'too_many', message: 'You have 500 pictures. Delete a picture first' });
  });

  it("counts towards its account's storage", async () => {
    const own = await app.user();
    await rows(
      app.em(),
      `insert into files (user_id, kind, name, media_type, byte_size, sha256, storage_key, width, height, stored_at)
       values (?, 'image', 'x', 'image/png', ?, 'y', ?, 1, 1, now())`,
      [own.id, 200 * 1024 * 1024 - 10, `pictures/${own.id}`],
    );
    await upload(PNG, 'x.png', own)
      .expect(403)
      .expect(/Your 200 MB are used up/);
  });
});
