import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inTransaction, rows } from '../../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../../src/shared/retention/retention.js';
import { FileStorage, filesUnavailable } from '../../../../src/shared/storage/file-storage.js';
import { startApp, type TestApp } from '../../../kit/app.js';
import { pdf } from '../../../kit/uploads.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';

let app: TestApp;
let user: SignedUp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [user, admin] = [await app.user(), await app.user({ admin: true })];
});
afterAll(() => app.close());

const upload = (bytes: Buffer, by = user) =>
  by.agent
    .post('/api/files')
    .set('Sec-Fetch-Site', 'same-origin')
    .field('kind', 'document')
    .attach('file', bytes, 'Resume.pdf');
const idOf = async (bytes: Buffer) => (await upload(bytes).expect(201)).body.id as string;
const report = (id: string) =>
  rows(app.em(), `update files set reports = 1, reported_at = now() where id = ? returning id`, [id]);
const TAKEN_DOWN = {
  code: 'file_taken_down',
  message: 'This file was taken down after a report. It cannot be uploaded again',
};

describe('a file that an admin took down', () => {
  it('is not uploaded again: neither beside it, nor once it is deleted', async () => {
    const bytes = pdf(randomUUID());
    const id = await idOf(bytes);
    await report(id);
    await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
    expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
    expect(
      await rows(app.em(), `select id from files where sha256 = sha256(?) and deleted_at is null`, [bytes]),
    ).toEqual([]);
    await upload(pdf(randomUUID())).expect(201);
  });

  it('is not uploaded again where the process that took it down stored no hash', async () => {
    const [deleted, repeated] = [pdf(randomUUID()), pdf(randomUUID())];
    const [one, two] = [await idOf(deleted), await idOf(repeated)];
    for (const id of [one, two]) {
      await report(id);
      await rows(app.em(), `update files set taken_down_at = now() where id = ? returning id`, [id]);
    }
    await user.agent.delete(`/api/files/${one}`).expect(204);
    await admin.agent.post(`/api/admin/files/${two}/take-down`).send({ reason: 'Phishing' }).expect(200);
    for (const bytes of [deleted, repeated]) expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
  });

  it('is uploaded by others all the same, and its hash goes with its account', async () => {
    const owner = await app.user();
    const bytes = pdf(randomUUID());
    const { body } = await upload(bytes, owner).expect(201);
    const id = body.id as string;
    await report(id);
    await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
    await upload(bytes).expect(201);
    const hashes = () => rows(app.em(), `select 1 from taken_down_files where sha256 = sha256(?)`, [bytes]);
    expect(await hashes()).toHaveLength(1);
    await rows(app.em(), `delete from users where id = ? returning id`, [owner.id]);
    expect(await hashes()).toEqual([]);
  });

  it('is not uploaded again by an owner who deletes it while it is taken down', async () => {
    const bytes = pdf(randomUUID());
    const id = await idOf(bytes);
    const deleted = await inTransaction(app.em(), async (em) => {
      // Does what ReportedFiles.takeDown does before its commit.
      await rows(em, `update files set taken_down_at = now() where id = ? returning id`, [id]);
      await rows(em, `insert into taken_down_files (user_id, sha256) values (?, sha256(?)) returning sha256`, [
        user.id,
        bytes,
      ]);
      const deleting = user.agent.delete(`/api/files/${id}`).then(({ status }) => status);
      await until(
        'the deletion waits',
        async () => (await rows(app.em(), `select 1 from pg_locks where not granted`)).length > 0,
      );
      return () => deleting;
    });
    expect(await deleted()).toBe(204);
    expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
  });
});

describe('a file that was reported', () => {
  it('is not replaced, and replaces no other: a take-down bars the bytes that were reported', async () => {
    const bytes = pdf(randomUUID());
    const [id, next] = [await idOf(bytes), await idOf(pdf(randomUUID()))];
    await report(id);
    const replaced = async (old: string, by: string) =>
      (await user.agent.post(`/api/files/${old}/replace`).send({ fileId: by }).expect(409)).body.code;
    expect([await replaced(id, next), await replaced(next, id)]).toEqual(['file_reported', 'file_reported']);
    await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
  });

  it('can be taken down after its owner deleted it, so that its bytes are not uploaded again', async () => {
    const bytes = pdf(randomUUID());
    const id = await idOf(bytes);
    await report(id);
    await user.agent.delete(`/api/files/${id}`).expect(204);
    await rows(app.em(), `update files set deleted_at = now() - interval '2 days' where id = ? returning id`, [id]);
    await app.get(Retention).purge();
    const { body } = await admin.agent.get('/api/admin/files').expect(200);
    expect(body).toContainEqual(expect.objectContaining({ id, name: '', takenDownAt: null }));
    await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
    expect((await upload(bytes).expect(422)).body).toMatchObject(TAKEN_DOWN);
  });

  it('takes the same bytes along that its owner uploaded again in between, also into another file', async () => {
    const takenDown = async (id: string): Promise<boolean> => {
      const [found] = await rows<{ isDown: boolean }>(
        app.em(),
        `select taken_down_at is not null as "isDown" from files where id = ?`,
        [id],
      );
      return found!.isDown;
    };
    for (const isReplacement of [false, true]) {
      const bytes = pdf(randomUUID());
      const id = await idOf(bytes);
      await report(id);
      await user.agent.delete(`/api/files/${id}`).expect(204);
      let again = await idOf(bytes);
      if (isReplacement) {
        const old = await idOf(pdf(randomUUID()));
        await user.agent.post(`/api/files/${old}/replace`).send({ fileId: again }).expect(200);
        again = old;
      }
      expect(await takenDown(again)).toBe(false);
      await admin.agent.post(`/api/admin/files/${id}/take-down`).send({ reason: 'Phishing' }).expect(200);
      expect(await takenDown(again)).toBe(true);
    }
  });

  it('does not become the new version of another file', async () => {
    const bytes = pdf(randomUUID());
    const [id, old] = [await idOf(bytes), await idOf(pdf(randomUUID()))];
    await rows(
      app.em(),
      `insert into taken_down_files (user_id, sha256) select user_id, sha256 from files where id = ? returning user_id`,
      [id],
    );
    const { body } = await user.agent.post(`/api/files/${old}/replace`).send({ fileId: id }).expect(422);
    expect(body).toMatchObject(TAKEN_DOWN);
  });
});

describe('a new version of a file', () => {
  it('with a virus is refused as one, and not as being checked', async () => {
    const [id, next] = [await idOf(pdf(randomUUID())), await idOf(pdf(randomUUID()))];
    const replaced = (status: number) =>
      user.agent.post(`/api/files/${id}/replace`).send({ fileId: next }).expect(status);
    await rows(app.em(), `update files set scan = 'infected' where id = ? returning id`, [next]);
    expect((await replaced(422)).body.code).toBe('file_infected');
    await rows(app.em(), `update files set scan = 'unscanned', taken_down_at = now() where id = ? returning id`, [
      next,
    ]);
    await replaced(404);
  });
});

describe('the same bytes, uploaded in two tabs', () => {
  it('are stored by the second where the first fails and removes the row of both', async () => {
    const own = await app.user();
    const bytes = pdf(randomUUID());
    const storage = app.get(FileStorage);
    const put = storage.putFile.bind(storage);
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const spy = jest
      .spyOn(storage, 'putFile')
      .mockImplementationOnce(async () => {
        await begun;
        throw filesUnavailable();
      })
      .mockImplementationOnce(async (...given) => {
        begin();
        const isGone = async () =>
          (await rows(app.em(), `select 1 from files where user_id = ?`, [own.id])).length === 0;
        await until('the first upload has removed the row', isGone);
        await put(...given);
      });
    const answers = await Promise.all([upload(bytes, own), upload(bytes, own)]);
    spy.mockRestore();
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 503]);
    const id = answers.find(({ status }) => status === 201)!.body.id as string;
    expect((await own.agent.get(`/api/files/${id}`).expect(200)).body.state).toBe('ready');
    const names = readdirSync(join(app.settings.filesDir!, 'documents'));
    const held = await rows<{ name: string }>(
      app.em(),
      `select replace(storage_key, 'documents/', '') as name from files where deleted_at is null`,
    );
    expect(names.filter((name) => !held.some((row) => row.name === name))).toEqual([]);
    expect(names).toContain(id);
  });
});
