import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { AccountConcurrency } from '../../../../src/shared/http/index.js';
import { Retention } from '../../../../src/shared/retention/retention.js';
import { FileStorage, filesUnavailable } from '../../../../src/shared/storage/file-storage.js';
import { startApp, type TestApp } from '../../../kit/app.js';
import { docm, docx, odt, pdf, zipBomb } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import { PASSWORD, type SignedUp } from '../../../kit/users.js';
import { uploadFile } from '../../../kit/upload-file.js';

let app: TestApp;
let user: SignedUp;
let stranger: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_STORAGE_MB: '12' } });
  [user, stranger] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

const upload = (bytes: Buffer, name?: string, by = user, kind?: string) => uploadFile(by, bytes, name, kind);
const stored = (): string[] => readdirSync(join(app.settings.filesDir!, 'documents'));
const temporary = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('staffcast-upload-'));

describe('an uploaded file', () => {
  it('is stored once, under a clean name, whoever reads its name or its bytes', async () => {
    const { body } = await upload(pdf('first'), '../../x\u202e.exe.pdf').expect(201);
    expect(body).toMatchObject({
      kind: 'document',
      name: 'x.pdf',
      mediaType: 'application/pdf',
      state: 'ready',
      url: null,
      width: null,
      usedIn: 0,
      downloads: 0,
      automated: 0,
      expiresAt: null,
    });
    expect(stored()).toContain(body.id);
    const again = await upload(pdf('first'), 'other.pdf').expect(200);
    expect(again.body.id).toBe(body.id);
    const { body: theirs } = await upload(pdf('first'), 'x.pdf', stranger).expect(201);
    expect(theirs.id).not.toBe(body.id);
    expect(await until(() => temporary().length === 0)).toBe(true);
  });

  it('takes space, which its owner is told of with the limits', async () => {
    const owner = await app.user();
    const space = async () => (await owner.agent.get('/api/files/space').expect(200)).body as Record<string, number>;
    const MB = 1024 * 1024;
    expect(await space()).toEqual({
      usedBytes: 0,
      limitBytes: 12 * MB,
      fileBytes: 10 * MB,
      attachmentBytes: 2 * MB,
      attachmentBudgetBytes: 1000 * MB,
    });
    const { body } = await upload(pdf('space'), 'x.pdf', owner).expect(201);
    expect((await space()).usedBytes).toBe(body.byteSize);
    await owner.agent.delete(`/api/files/${body.id}`).expect(204);
    expect((await space()).usedBytes).toBe(0);
    await app.http().get('/api/files/space').expect(401);
  });

  it('is taken or refused by its bytes', async () => {
    for (const [bytes, name, status] of [
      [await docx(), 'x.pdf', 201],
      [await odt(), 'x', 201],
      [Buffer.from('Plain resume'), 'x.exe', 201],
      [Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'resume.pdf', 415],
      [Buffer.from('GIF89a/*<script>*/=1'), 'resume.pdf', 415],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'resume.txt', 415],
      [await docm(), 'resume.docx', 415],
      [await zipBomb(), 'resume.docx', 415],
      [pdf('x', '/OpenAction << /S /JavaScript >>'), 'resume.pdf', 415],
      [Buffer.alloc(0), 'resume.pdf', 400],
    ] as const) {
      const answer = await upload(Buffer.from(bytes), name);
      expect([name, answer.status]).toEqual([name, status]);
      if (status === 415)
        expect(answer.body).toMatchObject({
          code: 'file_type_refused',
          message: 'Send a PDF, Word (.docx), ODT or text file',
        });
    }
    await upload(pdf(), 'x.pdf', user, 'program').expect(400);
    await upload(pdf(), 'x.pdf', await app.user({ verified: false })).expect(403);
  });

  it('has at most the megabytes of one file, and of its account', async () => {
    const text = (bytes: number, letter: string) => Buffer.alloc(bytes, letter);
    const own = await app.user();
    const { body } = await upload(text(10 * 1024 * 1024 + 1, 'a'), 'x.txt', own).expect(413);
    expect(body).toMatchObject({ code: 'file_too_large', message: 'A file has at most 10 MB' });
    await upload(text(10 * 1024 * 1024, 'b'), 'x.txt', own).expect(201);
    const { body: full } = await upload(text(3 * 1024 * 1024, 'c'), 'x.txt', own).expect(403);
    expect(full).toMatchObject({ code: 'plan_limit', message: 'Your 12 MB are used up' });
    await rows(app.em(), `update users set plan_access_until = '2100-01-01' where id = ?`, [own.id]);
    await upload(text(3 * 1024 * 1024, 'c'), 'x.txt', own).expect(201);
  });

  it('never takes more than its account has, from however many uploads at once', async () => {
    const own = await app.user();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((letter) => upload(Buffer.alloc(5 * 1024 * 1024, letter), 'x.txt', own)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
  });

  it('takes no space where the storage failed', async () => {
    const own = await app.user();
    const putFile = jest.spyOn(app.get(FileStorage), 'putFile').mockRejectedValue(filesUnavailable());
    for (const letter of ['a', 'b']) await upload(Buffer.alloc(7 * 1024 * 1024, letter), 'x.txt', own).expect(503);
    putFile.mockRestore();
    expect((await own.agent.get('/api/files/space').expect(200)).body.usedBytes).toBe(0);
    await upload(Buffer.alloc(7 * 1024 * 1024, 'b'), 'x.txt', own).expect(201);
  });

  it('of the same bytes uploaded at once is one', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(pdf('at once'))));
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('that was cut off leaves neither a row nor bytes', async () => {
    const before = stored().length;
    // Other specs that run at the same time use the same folder.
    const others = new Set(temporary());
    const own = () => temporary().filter((name) => !others.has(name));
    const { body: signedIn } = await app
      .http()
      .post('/api/auth/token')
      .send({ email: user.email, password: PASSWORD })
      .expect(200);
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const head = `POST /api/files HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${signedIn.accessToken}\r\nContent-Type: multipart/form-data; boundary=xx\r\nContent-Length: 900000\r\n\r\n`;
    socket.write(
      `${head}--xx\r\nContent-Disposition: form-data; name="kind"\r\n\r\ndocument\r\n--xx\r\nContent-Disposition: form-data; name="file"; filename="cut.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf().toString('latin1')}`,
    );
    await until(() => own().length > 0);
    socket.destroy();
    await until(() => own().length === 0);
    expect(await rows(app.em(), `select id from files where name = 'cut.pdf'`)).toEqual([]);
    expect(stored()).toHaveLength(before);
  });

  it('that was given up while it waited for others holds up no later one', async () => {
    const others = new Set(temporary());
    const own = () => temporary().filter((name) => !others.has(name));
    const { body: signedIn } = await app
      .http()
      .post('/api/auth/token')
      .send({ email: user.email, password: PASSWORD })
      .expect(200);
    const { hostname, port } = new URL(app.url);
    const begin = () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      const head = `POST /api/files HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${signedIn.accessToken}\r\nContent-Type: multipart/form-data; boundary=xx\r\nContent-Length: 900000\r\n\r\n`;
      socket.write(
        `${head}--xx\r\nContent-Disposition: form-data; name="file"; filename="cut.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf().toString('latin1')}`,
      );
      return socket;
    };
    const running = [begin(), begin()];
    await until(() => own().length === 2);
    const waiting = [begin(), begin()];
    const waits = jest.spyOn(AccountConcurrency.prototype, 'take');
    await until(() => waits.mock.calls.length === 2);
    waits.mockRestore();
    for (const socket of waiting) socket.destroy();
    await Promise.all(waiting.map((socket) => once(socket, 'close')));
    for (const socket of running) socket.destroy();
    await until(() => own().length === 0);
    await upload(pdf('after the ones that were given up')).expect(201);
  });

  it('without its bytes, and bytes without a row, go at night', async () => {
    await rows(
      app.em(),
      `insert into files (user_id, kind, name, media_type, byte_size, sha256, storage_key, created_at)
       values (?, 'document', 'x.pdf', 'application/pdf', 1, 'cut', 'documents/cut', now() - interval '2 days')`,
      [user.id],
    );
    const leaver = await app.user();
    const { body } = await upload(pdf('leaver'), 'x.pdf', leaver).expect(201);
    await rows(app.em(), `delete from users where id = ?`, [leaver.id]);
    await app.get(Retention).purge();
    expect(stored()).not.toContain(body.id);
    expect(await rows(app.em(), `select id from files where storage_key = 'documents/cut'`)).toEqual([]);
  });

  it('that nobody used for 180 days goes, with its bytes', async () => {
    const own = await app.user();
    const [{ body: old }, { body: drafted }, { body: young }] = [
      await upload(pdf('old'), 'x.pdf', own),
      await upload(pdf('drafted'), 'x.pdf', own),
      await upload(pdf('young'), 'x.pdf', own),
    ];
    await own.agent
      .post('/api/drafts')
      .send({ files: [{ fileId: drafted.id }] })
      .expect(201);
    await rows(app.em(), `update files set used_at = now() - interval '181 days' where id = any(?::uuid[])`, [
      [old.id, drafted.id],
    ]);
    await app.get(Retention).purge();
    const { body: left } = await own.agent.get('/api/files').expect(200);
    expect(left.map(({ id }: { id: string }) => id)).toEqual([young.id, drafted.id]);
    expect(stored()).not.toContain(old.id);
  });

  it("is its owner's alone: listed, renamed and deleted by nobody else", async () => {
    const own = await app.user();
    const { body } = await upload(pdf('mine'), 'mine.pdf', own).expect(201);
    const id = body.id as string;
    for (const [by, path] of [
      [stranger, id],
      [stranger, randomUUID()],
      [own, 'nonsense'],
    ] as const) {
      await by.agent.get(`/api/files/${path}`).expect(404);
      await by.agent.patch(`/api/files/${path}`).send({ name: 'x' }).expect(404);
      await by.agent.delete(`/api/files/${path}`).expect(404);
      await by.agent.post(`/api/files/${path}/replace`).send({ fileId: id }).expect(404);
    }
    const { body: renamed } = await own.agent
      .patch(`/api/files/${id}`)
      .send({ name: 'Resume, Java developer.docx' })
      .expect(200);
    expect(renamed.name).toBe('Resume, Java developer.pdf');
    await own.agent.patch(`/api/files/${id}`).send({ name: ' ' }).expect(400);
    await own.agent.patch(`/api/files/${id}`).send({ name: '\u202e../' }).expect(400);
    await own.agent.patch(`/api/files/${id}`).send({ name: 'x', kind: 'image' }).expect(400);
    await own.agent.delete(`/api/files/${id}`).expect(204);
    await own.agent.get(`/api/files/${id}`).expect(404);
    expect(stored()).not.toContain(id);
    expect((await upload(pdf('mine'), 'mine.pdf', own).expect(201)).body.id).not.toBe(id);
  });

  it('is found page by page', async () => {
    const own = await app.user();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await upload(pdf(name), `${name}.pdf`, own)).body.id as string);
    const first = await own.agent.get('/api/files?limit=2&kind=document').expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link']!)![1]!;
    const rest = await own.agent.get(next.replace(/^https?:\/\/[^/]+/, '')).expect(200);
    expect([...first.body, ...rest.body].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await own.agent.get('/api/files?kind=image').expect(200)).body).toEqual([]);
    expect((await own.agent.get('/api/files?search=b.p').expect(200)).body).toHaveLength(1);
    await own.agent.get('/api/files?kind=program').expect(400);
  });
});
