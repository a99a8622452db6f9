import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, rows } from '../../../../src/shared/database/queries/rows.js';
import { FileStorage } from '../../../../src/shared/storage/file-storage.js';
import type { TestApp } from '../../../kit/app.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, type SeededList, startSending } from '../../sending/support.js';
import { BROWSER, fileLinkHelpers } from './file-links-support.js';

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
    await admin.agent.post(`/api/admin/files/${id}/dismiss`).send({}).expect(404);
  });

  it('is reported however often its owner replaces it meanwhile', async () => {
    const id = await upload('Late.pdf');
    const { token } = await sent(id);
    const waiting = async (n: number) =>
      (
        await rows(
          app.em(),
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update files%'`,
        )
      ).length >= n;
    const replace = (em: EntityManager) =>
      rows(em, `update files set storage_key = ? where id = ? returning id`, [`documents/${randomUUID()}`, id]);
    let isDone = false;
    let second: Promise<void> | undefined;
    const reporting = await inTransaction(app.em(), async (em) => {
      await replace(em);
      const answer = app
        .http()
        .post(`/api/files/links/${token}/report`)
        .set('Sec-Fetch-Site', 'same-origin')
        .then(({ status }) => {
          isDone = true;
          return status;
        });
      await until('the report waits for the replacement', () => waiting(1));
      second = inTransaction(app.em(), async (next) => {
        await replace(next);
        await until('the report has passed, or waits again', async () => isDone || (await waiting(1)));
      });
      await until('so does the next replacement', () => waiting(2));
      return () => answer;
    });
    expect(await reporting()).toBe(204);
    await second;
    expect(await rows(app.em(), `select reports from files where id = ?`, [id])).toEqual([{ reports: 1 }]);
  });

  it('goes on working where an admin dismisses its reports, and is listed again when it is reported anew', async () => {
    const admin = await app.user({ admin: true });
    const id = await upload('Terms.pdf');
    const { token } = await sent(id);
    const report = () =>
      app.http().post(`/api/files/links/${token}/report`).set('Sec-Fetch-Site', 'same-origin').expect(204);
    const listed = async () =>
      ((await admin.agent.get('/api/admin/files').expect(200)).body as { id: string; reports: number }[]).find(
        (file) => file.id === id,
      )?.reports;
    const dismiss = () => admin.agent.post(`/api/admin/files/${id}/dismiss`).send({ reason: 'Harmless' });
    await dismiss().expect(404);
    await report();
    await report();
    expect(await listed()).toBe(2);
    await user.agent.post(`/api/admin/files/${id}/dismiss`).send({}).expect(403);
    const answers = await Promise.all([dismiss(), dismiss()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await listed()).toBeUndefined();
    await info(token).expect(200);
    const events = await rows<object>(
      app.em(),
      `select reason, actor_id as "actorId" from audit_events where kind = 'file.report_dismissed' and user_id = ?`,
      [user.id],
    );
    expect(events).toEqual([{ reason: 'Terms.pdf: Harmless', actorId: admin.id }]);
    await report();
    expect(await listed()).toBe(1);
  });
});
