import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { doc, paragraph } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send } from '../sending/support.js';

let app: TestApp;
let user: SignedUp;
let stranger: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [user, stranger] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

const body = (name: string, extra: object = {}) => ({
  name,
  emailType: 'job-post',
  document: doc(paragraph('Hello')),
  ...extra,
});
const make = async (name: string, extra: object = {}, by = user) =>
  (await by.agent.post('/api/email-templates').send(body(name, extra)).expect(201)).body as {
    id: string;
    name: string;
  };
const change = (id: string, version: number, parts: object, by = user) =>
  by.agent.patch(`/api/email-templates/${id}`).set('If-Match', `"${version}"`).send(parts);

describe('a template', () => {
  it('is made, renamed, changed, used, copied and deleted', async () => {
    const { id } = await make('DevOps, Dallas', {
      subject: ' DevOps engineer ',
    });
    const { body: one, headers } = await user.agent.get(`/api/email-templates/${id}`).expect(200);
    expect(headers['etag']).toBe('"1"');
    expect(one).toMatchObject({
      name: 'DevOps, Dallas',
      subject: 'DevOps engineer',
      useCount: 0,
      usedAt: null,
      version: 1,
    });
    expect(one.document.content[0].content[0].text).toBe('Hello');
    expect((await change(id, 1, { name: 'DevOps' }).expect(200)).body).toMatchObject({
      version: 2,
      subject: 'DevOps engineer',
    });
    expect((await change(id, 2, { subject: '' }).expect(200)).body).toMatchObject({ name: 'DevOps', subject: null });
    const { body: saved, headers: tags } = await change(id, 3, { document: doc(paragraph('New')) }).expect(200);
    expect(tags['etag']).toBe('"4"');
    // The answer to a save with a message does not contain the message again.
    expect(saved).not.toHaveProperty('document');
    const { body: changed } = await user.agent.get(`/api/email-templates/${id}`).expect(200);
    expect(changed.document.content[0].content[0].text).toBe('New');
    await change(id, 1, { name: 'x' })
      .expect(412)
      .expect(/draft_changed/);
    await user.agent.patch(`/api/email-templates/${id}`).send({ name: 'x' }).expect(428);
    const { body: used } = await user.agent.post(`/api/email-templates/${id}/use`).expect(200);
    expect(used).toMatchObject({
      useCount: 1,
      version: 4,
      usedAt: expect.any(String),
    });
    const names = [];
    for (let n = 0; n < 3; n += 1)
      names.push((await user.agent.post(`/api/email-templates/${id}/duplicate`).expect(201)).body.name);
    expect(names).toEqual(['DevOps copy', 'DevOps copy 2', 'DevOps copy 3']);
    await user.agent.delete(`/api/email-templates/${id}`).expect(204);
    await user.agent.get(`/api/email-templates/${id}`).expect(404);
    await user.agent.delete(`/api/email-templates/${id}`).expect(404);
  });

  it('has a unique name', async () => {
    const { id } = await make('Taken');
    const other = await make('Other');
    for (const name of ['Taken', ' taken ', 'TAKEN'])
      await user.agent
        .post('/api/email-templates')
        .send(body(name))
        .expect(409)
        .expect(/You have a template with this name/);
    await change(other.id, 1, { name: 'taken' })
      .expect(409)
      .expect(/template_name_taken/);
    await change(id, 1, { name: 'TAKEN' }).expect(200);
    await make('Taken', {}, stranger);
    const long = await make('x'.repeat(100));
    const { body: copy } = await user.agent.post(`/api/email-templates/${long.id}/duplicate`).expect(201);
    expect(copy.name).toBe(`${'x'.repeat(95)} copy`);
  });

  it('can be created from a send and from a draft', async () => {
    const sent = await send(user, await seedList(app, user, { count: 1 }), {
      subject: 'Sent',
      content: 'Hi,\n\nare you free?',
    });
    const { body: ofSend } = await user.agent
      .post('/api/email-templates')
      .send({ name: 'Of a send', fromSendId: sent })
      .expect(201);
    expect(ofSend).toMatchObject({ subject: 'Sent', emailType: 'job-post' });
    expect(ofSend.document.content).toMatchObject([
      { content: [{ text: 'Hi,' }] },
      { content: [{ text: 'are you free?' }] },
    ]);
    const draft = (await user.agent.post('/api/drafts').send({ subject: 'Draft', content: 'Plain' }).expect(201)).body
      .id;
    const { body: ofDraft } = await user.agent
      .post('/api/email-templates')
      .send({ name: 'Of a draft', fromDraftId: draft })
      .expect(201);
    expect(ofDraft).toMatchObject({
      subject: 'Draft',
      document: { content: [{ content: [{ text: 'Plain' }] }] },
    });
    const empty = (await user.agent.post('/api/drafts').send({}).expect(201)).body.id;
    await user.agent.post('/api/email-templates').send({ name: 'Of nothing', fromDraftId: empty }).expect(400);
    await stranger.agent.post('/api/email-templates').send({ name: 'x', fromSendId: sent }).expect(404);
    await stranger.agent.post('/api/email-templates').send({ name: 'x', fromDraftId: draft }).expect(404);
    await user.agent.post('/api/email-templates').send({ name: 'x', fromSendId: 'nonsense' }).expect(404);
  });

  it('is visible to its owner only', async () => {
    const { id } = await make('Mine');
    for (const path of [id, randomUUID(), 'nonsense']) {
      await stranger.agent.get(`/api/email-templates/${path}`).expect(404);
      await change(path, 1, { name: 'x' }, stranger).expect(404);
      await stranger.agent.delete(`/api/email-templates/${path}`).expect(404);
      await stranger.agent.post(`/api/email-templates/${path}/duplicate`).expect(404);
      await stranger.agent.post(`/api/email-templates/${path}/use`).expect(404);
    }
  });

  it('is listed by page, type and search', async () => {
    const own = await app.user();
    await make('Alpha', {}, own);
    await make('Beta', { emailType: 'candidate-list', subject: 'Hotlist' }, own);
    const names = async (query: string) =>
      ((await own.agent.get(`/api/email-templates${query}`).expect(200)).body as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names('')).toEqual(['Beta', 'Alpha']);
    expect(await names('?sort=name')).toEqual(['Alpha', 'Beta']);
    expect(await names('?sort=-usedAt&limit=1')).toHaveLength(1);
    const { headers } = await own.agent.get('/api/email-templates?sort=-usedAt&limit=1').expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(headers['link'] as string)![1]!;
    expect((await own.agent.get(next.replace(/^https?:\/\/[^/]+/, '')).expect(200)).body).toHaveLength(1);
    expect(await names('?type=job-post')).toEqual(['Alpha']);
    expect(await names('?search=hotl')).toEqual(['Beta']);
    expect((await own.agent.get('/api/email-templates?limit=1')).headers['x-total-count']).toBe('2');
    await own.agent.get('/api/email-templates?sort=document').expect(400);
  });

  it('accepts null for absent fields', async () => {
    const { id } = await make('Kept', { fromSendId: null, fromDraftId: null });
    expect((await change(id, 1, { name: null, subject: 'New' }).expect(200)).body).toMatchObject({ name: 'Kept' });
  });

  it('can be copied concurrently', async () => {
    const own = await app.user();
    const { id } = await make('Many', {}, own);
    const copies = Array.from({ length: 25 }, () => own.agent.post(`/api/email-templates/${id}/duplicate`));
    expect((await Promise.all(copies)).map(({ status }) => status)).toEqual(Array(25).fill(201));
  });

  it('is limited to 200 an account', async () => {
    const own = await app.user();
    await rows(
      app.em(),
      `insert into email_templates (owner_id, name, email_type, document) select ?, 'T' || n, 'job-post', '{}' from generate_series(1, 199) n`,
      [own.id],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => own.agent.post('/api/email-templates').send(body(name))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [first] = (await own.agent.get('/api/email-templates?limit=1')).body;
    await own.agent
      .post(`/api/email-templates/${first.id}/duplicate`)
      .expect(409)
      .expect(/too_many/);
  });

  it('is refused where it is invalid', async () => {
    for (const [given, code] of [
      [body(''), 'validation_failed'],
      [body('x'.repeat(101)), 'validation_failed'],
      [body('a\nb'), 'validation_failed'],
      [{ name: 'No body', emailType: 'job-post' }, 'validation_failed'],
      [
        body('Bad body', {
          document: { type: 'doc', version: 1, content: [{ type: 'style' }] },
        }),
        'document_invalid',
      ],
      [body('HTML', { html: '<p>' }), 'validation_failed'],
    ] as const) {
      const { body: answer } = await user.agent.post('/api/email-templates').send(given).expect(400);
      expect(answer.code).toBe(code);
    }
  });

  it('is in the export and deleted with the account', async () => {
    const own = await app.user();
    await make('Exported', {}, own);
    await own.agent.post('/api/drafts').send({ subject: 'Exported draft', content: 'text' }).expect(201);
    await rows(app.em(), `delete from users where id = ?`, [own.id]);
    expect(await rows(app.em(), `select id from email_templates where owner_id = ?`, [own.id])).toEqual([]);
    expect(await rows(app.em(), `select id from email_drafts where user_id = ?`, [own.id])).toEqual([]);
  });
});
