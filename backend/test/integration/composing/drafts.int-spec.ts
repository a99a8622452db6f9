import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Retention } from '../../../src/shared/retention/retention.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { doc, paragraph } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList } from '../sending/support.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
let app: TestApp;
let user: SignedUp;
let stranger: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [user, stranger] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

const begin = async (body: object = {}, by = user) =>
  (await by.agent.post('/api/drafts').set('User-Agent', CHROME).send(body).expect(201)).body as {
    id: string;
    version: number;
  };
const save = (id: string, version: number | string, body: object, by = user) =>
  by.agent
    .put(`/api/drafts/${id}`)
    .set('If-Match', typeof version === 'number' ? `"${version}"` : version)
    .send(body);
const read = async (id: string, by = user) => (await by.agent.get(`/api/drafts/${id}`).expect(200)).body;

describe('a draft', () => {
  it('is stored as written, also while incomplete', async () => {
    const { id } = await begin();
    expect(await read(id)).toMatchObject({
      version: 1,
      emailType: 'job-post',
      emailListIds: [],
      subject: '',
      preheader: '',
      content: null,
      document: null,
      step: 1,
      device: 'Chrome, Windows',
    });
    const list = await seedList(app, user);
    const parts = {
      emailListIds: [list.id],
      emailType: 'job-post',
      subject: ' Senior ',
      preheader: 'Hybrid',
      document: doc(paragraph('Hello')),
      step: 3,
    };
    const saved = await save(id, 1, parts).expect(200);
    expect(saved.headers['etag']).toBe('"2"');
    expect(saved.body).toMatchObject({ id, version: 2 });
    const answer = await user.agent.get(`/api/drafts/${id}`).expect(200);
    expect(answer.headers['etag']).toBe('"2"');
    expect(answer.body).toMatchObject({
      ...parts,
      content: null,
      document: {
        type: 'doc',
        version: 1,
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }],
      },
    });
    await save(id, 2, { content: 'plain' }).expect(200);
    expect(await read(id)).toMatchObject({ content: 'plain', document: null, subject: '', emailListIds: [] });
  });

  it('is saved only by a request that names its current version', async () => {
    const { id } = await begin({ subject: 'First' });
    await user.agent
      .put(`/api/drafts/${id}`)
      .send({ subject: 'x' })
      .expect(428)
      .expect(/precondition_required/);
    await save(id, 1, { subject: 'Second' }).set('User-Agent', CHROME).expect(200);
    const { body, headers } = await save(id, 1, { subject: 'Lost' }).expect(412);
    expect(body).toMatchObject({
      code: 'draft_changed',
      details: { version: 2, device: 'Chrome, Windows', updatedAt: expect.stringMatching(/Z$/) },
    });
    expect(headers['etag']).toBe('"2"');
    expect((await read(id)).subject).toBe('Second');
    await save(id, 'W/"2"', { subject: 'Weak' }).expect(200);
    await save(id, '"1", "3"', { subject: 'One of two' }).expect(200);
    await save(id, '*', { subject: 'Any' }).expect(200);
    await save(id, '"abc"', { subject: 'x' }).expect(412);
    await save(id, '"99999999999999999999"', { subject: 'x' }).expect(412);
  });

  it('is visible to its writer only', async () => {
    const { id } = await begin({ subject: 'Mine' });
    for (const path of [id, randomUUID(), 'nonsense', id.toUpperCase()]) {
      await stranger.agent.get(`/api/drafts/${path}`).expect(404);
      await save(path, 1, { subject: 'x' }, stranger).expect(404);
      await stranger.agent.delete(`/api/drafts/${path}`).expect(404);
      await stranger.agent.post('/api/drafts').send({ fromDraftId: path }).expect(404);
    }
    expect((await stranger.agent.get('/api/drafts').expect(200)).body).toEqual([]);
    await app.http().get(`/api/drafts/${id}`).expect(401);
    expect(await read(id)).toMatchObject({ subject: 'Mine', version: 1 });
  });

  it('is listed newest first, in pages, with existing lists and without its message', async () => {
    const own = await app.user();
    const list = await seedList(app, own, { name: 'Java people' });
    const foreign = await seedList(app, stranger);
    for (const n of [1, 2, 3])
      await begin({ subject: `Draft ${n}`, emailListIds: [list.id, foreign.id, randomUUID()] }, own);
    const first = await own.agent.get('/api/drafts?limit=2').expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    expect(first.headers['link']).toContain('rel="next"');
    expect((first.body as { subject: string }[]).map(({ subject }) => subject)).toEqual(['Draft 3', 'Draft 2']);
    expect(first.body[0]).toMatchObject({ lists: [{ id: list.id, name: 'Java people' }] });
    expect(first.body[0]).not.toHaveProperty('document');
    const found = await own.agent.get('/api/drafts?search=draft%201').expect(200);
    expect(found.body).toHaveLength(1);
  });

  it('is copied with existing lists only', async () => {
    const list = await seedList(app, user);
    const { id } = await begin({
      subject: 'S',
      preheader: 'P',
      document: doc(paragraph('x')),
      emailListIds: [list.id, randomUUID()],
    });
    const copy = await begin({ fromDraftId: id });
    expect(copy).toMatchObject({ version: 1, subject: 'S', preheader: 'P', emailListIds: [list.id] });
    expect(copy.id).not.toBe(id);
  });

  it('is limited to 200 an account; none is deleted for a new one', async () => {
    const own = await app.user();
    await rows(
      app.em(),
      `insert into email_drafts (user_id, email_type) select ?, 'job-post' from generate_series(1, 199)`,
      [own.id],
    );
    const answers = await Promise.all([1, 2, 3, 4].map(() => own.agent.post('/api/drafts').send({})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'too_many',
      message: expect.stringContaining('Delete a draft first'),
    });
  });

  it('is refused where it is invalid', async () => {
    const { id } = await begin();
    for (const [body, code] of [
      [{ content: 'x', document: doc(paragraph('x')) }, 'validation_failed'],
      [{ document: { type: 'doc', version: 1, content: [{ type: 'script' }] } }, 'document_invalid'],
      [{ document: '<p>' }, 'document_invalid'],
      [{ document: [] }, 'document_invalid'],
      [{ html: '<p>' }, 'validation_failed'],
      [{ attachments: [] }, 'validation_failed'],
      [{ subject: 'x'.repeat(256) }, 'validation_failed'],
      [{ subject: 'a\nb' }, 'validation_failed'],
      [{ preheader: 'x'.repeat(151) }, 'validation_failed'],
      [{ content: 'x'.repeat(100_001) }, 'validation_failed'],
      [{ emailListIds: ['x'] }, 'validation_failed'],
      [{ emailType: 'newsletter' }, 'validation_failed'],
      [{ step: 0 }, 'validation_failed'],
      [{ version: 7 }, 'validation_failed'],
    ] as const) {
      const { body: answer } = await save(id, 1, body).expect(400);
      expect(answer.code).toBe(code);
    }
    await save(id, 1, { document: { type: 'doc', version: 1, content: [], x: 'y'.repeat(1_100_000) } }).expect(413);
    expect((await read(id)).version).toBe(1);
  });

  it('never mixes two concurrent saves', async () => {
    const { id } = await begin();
    const texts = (writer: string, n: number) => ({
      subject: `${writer}${n}`,
      preheader: `${writer}${n}`,
      document: doc(...Array.from({ length: 20 }, () => paragraph(`${writer}${n}`))),
    });
    const isWhole = (draft: { subject: string; preheader: string; document: unknown }) =>
      new Set([
        draft.subject,
        draft.preheader,
        ...Array.from(JSON.stringify(draft.document).matchAll(/"text":"(\w+)"/g), ([, word]) => word),
      ]).size === 1;
    const write = async (writer: string): Promise<number> => {
      let accepted = 0;
      let version = 1;
      for (let n = 0; n < 200; n += 1) {
        const answer = await save(id, version, texts(writer, n));
        if (answer.status === 200) {
          accepted += 1;
          version = answer.body.version;
        } else {
          expect(answer.status).toBe(412);
          const found = await read(id);
          expect(isWhole(found)).toBe(true);
          version = found.version;
        }
      }
      return accepted;
    };
    const accepted = await Promise.all([write('a'), write('b')]);
    const last = await read(id);
    expect(isWhole(last)).toBe(true);
    expect(last.version).toBe(1 + accepted[0]! + accepted[1]!);
    expect(Math.min(...accepted)).toBeGreaterThan(0);
  });

  it('is removed on deletion, or after 400 days without a change', async () => {
    const [old, young, deleted] = [await begin(), await begin(), await begin()];
    await user.agent.delete(`/api/drafts/${deleted.id}`).expect(204);
    await user.agent.get(`/api/drafts/${deleted.id}`).expect(404);
    await rows(app.em(), `update email_drafts set updated_at = now() - interval '401 days' where id = ?`, [old.id]);
    await rows(app.em(), `update email_drafts set updated_at = now() - interval '399 days' where id = ?`, [young.id]);
    await app.get(Retention).purge();
    await user.agent.get(`/api/drafts/${old.id}`).expect(404);
    await read(young.id);
  });
});
