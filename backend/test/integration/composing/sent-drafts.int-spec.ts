import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Drafts } from '../../../src/modules/composing/index.js';
import { inTransaction } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { doc, mergeTag, paragraph } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { documentBody, seedList, type SeededList, sentToday, settled, startSending } from '../sending/support.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startSending();
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => app.close());

const HOTLIST = doc(paragraph('Hi ', mergeTag('first_name', 'there'), ','));
const composed = (extra: object = {}, lists: SeededList | SeededList[] = people) => documentBody(lists, HOTLIST, extra);
const mailsOf = (subject: string) => app.mails.all.filter((mail) => mail.subject.includes(subject));
const press = (body: object) => user.agent.post('/api/send-email').send(body);
const begin = async (by = user) =>
  (await by.agent.post('/api/drafts').send({ subject: 'Draft', document: HOTLIST }).expect(201)).body.id as string;

describe('a draft that is sent', () => {
  it('is sent at most once, from however many devices', async () => {
    const draftId = await begin();
    const before = Number(await sentToday(user));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        user.agent
          .post('/api/send-email')
          .set('Idempotency-Key', `press ${n}`)
          .send(composed({ draftId, subject: `Device ${n} ${draftId}` })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(answers.map(({ body }) => body.id as string));
    expect(ids.size).toBe(1);
    const [id] = [...ids];
    expect(Number(await sentToday(user))).toBe(before + 1);
    await settled(user, id!);
    expect(mailsOf(draftId)).toHaveLength(2);
    const { body: gone } = await user.agent.get(`/api/drafts/${draftId}`).expect(410);
    expect(gone).toMatchObject({ code: 'draft_sent', details: { sendId: id } });
    await user.agent.put(`/api/drafts/${draftId}`).set('If-Match', '"1"').send({ subject: 'x' }).expect(410);
    await user.agent.delete(`/api/drafts/${draftId}`).expect(410);
    const late = await press(composed({ draftId, document: doc(paragraph('Late')) })).expect(202);
    expect(late.body.id).toBe(id);
  });

  it('is gone for whoever would take it once more', async () => {
    const draftId = await begin();
    const { body } = await press(composed({ draftId })).expect(202);
    const again = inTransaction(app.em(), (em) => app.get(Drafts).take(em, user.id, draftId, null));
    await expect(again).rejects.toMatchObject({ code: 'draft_sent', status: 410, details: { sendId: body.id } });
  });

  it('is not sent by a request that names an older version of it', async () => {
    const draftId = await begin();
    const office = doc(paragraph('The rate is $60'));
    await user.agent.put(`/api/drafts/${draftId}`).set('If-Match', '"1"').send({ document: office }).expect(200);
    const before = await sentToday(user);
    const phone = composed({ draftId, draftVersion: 1, document: doc(paragraph('The rate is $95')) });
    const { body: refused } = await press(phone).expect(412);
    expect(refused).toMatchObject({
      code: 'draft_changed',
      details: { version: 2, updatedAt: expect.stringMatching(/Z$/) },
    });
    expect(await sentToday(user)).toBe(before);
    await press({ ...phone, draftVersion: 3 }).expect(412);
    for (const draftVersion of [0, 1.5, 'x', 2 ** 31]) await press({ ...phone, draftVersion }).expect(400);
    await press({ ...phone, draftId: undefined, draftVersion: 2 }).expect(400);
    expect((await user.agent.get(`/api/drafts/${draftId}`).expect(200)).body).toMatchObject({ version: 2 });
    const { id } = (await press(composed({ draftId, draftVersion: 2, document: office })).expect(202)).body;
    // Once the draft was sent, every further press returns the same send, even with an older version.
    expect((await press(phone).expect(202)).body.id).toBe(id);
  });

  it('is unchanged where the send is refused', async () => {
    const draftId = await begin();
    const empty = await seedList(app, user);
    await press(composed({ draftId }, empty))
      .expect(400)
      .expect(/no_recipients/);
    await press(composed({ draftId, document: doc({ type: 'x' }) })).expect(400);
    await press(composed({ draftId, emailListIds: [randomUUID()] })).expect(404);
    const { body } = await user.agent.get(`/api/drafts/${draftId}`).expect(200);
    expect(body).toMatchObject({ version: 1, subject: 'Draft' });
    const free = await app.user({ set: { custom_daily_limit: '0' } });
    const theirs = await begin(free);
    await free.agent
      .post('/api/send-email')
      .send(composed({ draftId: theirs }, await seedList(app, free, { count: 1 })))
      .expect(429);
    await free.agent.get(`/api/drafts/${theirs}`).expect(200);
  });

  it('can be sent by its writer only', async () => {
    const draftId = await begin();
    const stranger = await app.user();
    const theirs = await seedList(app, stranger, { count: 1 });
    for (const id of [draftId, randomUUID(), 'nonsense'])
      await stranger.agent
        .post('/api/send-email')
        .send(composed({ draftId: id }, theirs))
        .expect(404);
    await user.agent.get(`/api/drafts/${draftId}`).expect(200);
    expect(await sentToday(stranger)).toBe('0');
  });

  it('is not sent again by a retry whose first request came before the draft was created', async () => {
    const body = composed();
    const key = `press ${randomUUID()}`;
    const retry = (extra: object) =>
      user.agent
        .post('/api/send-email')
        .set('Idempotency-Key', key)
        .send({ ...body, ...extra });
    const { id } = (await retry({}).expect(202)).body;
    const draftId = await begin();
    expect((await retry({ draftId, draftVersion: 1 }).expect(202)).body.id).toBe(id);
    await settled(user, id);
    expect(mailsOf(body.subject)).toHaveLength(2);
    await retry({ draftId, subject: 'Another email' })
      .expect(422)
      .expect(/idempotency_mismatch/);
    await user.agent.get(`/api/drafts/${draftId}`).expect(200);
  });

  it('is sent once where one request names it and another with the same key does not, whichever comes first', async () => {
    for (const isAtOnce of [false, true]) {
      const body = composed({ subject: `Hotlist ${randomUUID()}` });
      const key = `press ${randomUUID()}`;
      const draftId = await begin();
      const presses = [{ draftId, draftVersion: 1 }, {}].map(
        (extra) => () =>
          user.agent
            .post('/api/send-email')
            .set('Idempotency-Key', key)
            .send({ ...body, ...extra })
            .expect(202),
      );
      const first = isAtOnce ? [] : [await presses.shift()!()];
      const answers = [...first, ...(await Promise.all(presses.map((go) => go())))];
      expect(answers).toHaveLength(2);
      expect(new Set(answers.map((answer) => answer.body.id as string)).size).toBe(1);
    }
  });

  it('is sent separately under a key that another draft was sent with', async () => {
    const key = `press ${randomUUID()}`;
    const sent = await Promise.all(
      ['First', 'Second'].map(async (subject) => {
        const draftId = await begin();
        const answer = await user.agent
          .post('/api/send-email')
          .set('Idempotency-Key', key)
          .send({ ...composed({ subject: `${subject} ${randomUUID()}` }), draftId })
          .expect(202);
        return answer.body.id as string;
      }),
    );
    expect(new Set(sent).size).toBe(2);
  });

  it('counts as a send of its own beside a draft with the same text', async () => {
    const body = composed();
    const [first, second] = [await begin(), await begin()];
    const ids = [];
    for (const draftId of [first, second]) ids.push((await press({ ...body, draftId }).expect(202)).body.id);
    expect(new Set(ids).size).toBe(2);
  });
});
