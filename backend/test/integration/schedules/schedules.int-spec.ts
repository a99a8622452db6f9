import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { doc, paragraph } from '../../kit/samples/documents.js';
import { PNG } from '../../kit/samples/pictures.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, sendBody } from '../sending/support.js';
import { entries, inMinutes, noonZone, onDay, read, schedule, scheduleBody, startScheduling, ZONE } from './support.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startScheduling();
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 3 });
});
afterAll(() => app.close());

const post = (body: object, by = user) => by.agent.post('/api/scheduled-sends').send(body);
const stored = async (userId = user.id) =>
  (
    await rows<{ n: number }>(app.em(), `select count(*)::int as n from scheduled_sends where user_id = ?`, [userId])
  )[0]!.n;

describe('scheduling an email', () => {
  it('stores the whole email and returns when it leaves and about how many it reaches', async () => {
    const subject = `Hotlist ${randomUUID()}`;
    const made = await post(scheduleBody(people, { at: onDay(2) }, { subject })).expect(201);
    expect(made.body).toMatchObject({
      state: 'scheduled',
      reason: null,
      at: onDay(2),
      timeZone: ZONE,
      later: false,
      version: 1,
      subject,
      emailType: 'job-post',
      lists: [people],
      send: { subject, emailListIds: [people.id], content: 'Hello,\nare you free?' },
      estimate: { recipientCount: '3', excluded: { pending: 0 } },
      historyId: null,
      message: expect.stringMatching(/^Leaves \w{3}, \w{3} \d+ at 9:00 AM E[SD]T\.$/),
    });
    expect(made.body.dueAt).toBe(DateTime.fromISO(onDay(2), { zone: ZONE }).toUTC().toISO());
    const list = await user.agent
      .get(`/api/scheduled-sends?state=open&search=${subject.slice(0, 20)}&limit=5`)
      .expect(200);
    expect(list.headers['x-total-count']).toBe('1');
    expect(list.body[0]).toMatchObject({ id: made.body.id, subject });
    expect(list.body[0]).not.toHaveProperty('send');
    const used = await user.agent.get(`/api/scheduled-sends?listId=${people.id}&state=open&limit=1`).expect(200);
    expect(Number(used.headers['x-total-count'])).toBeGreaterThan(0);
    const other = await app.user();
    await other.agent.get(`/api/scheduled-sends/${made.body.id}`).expect(404);
    await other.agent.post(`/api/scheduled-sends/${made.body.id}/cancel`).expect(404);
    await other.agent.post(`/api/scheduled-sends/${made.body.id}/send-now`).expect(404);
    await other.agent
      .patch(`/api/scheduled-sends/${made.body.id}`)
      .send({ version: 1, at: onDay(3) })
      .expect(404);
  });

  it.each<[string, object, object, number, RegExp]>([
    ['a time in the past', { at: inMinutes(-5) }, {}, 400, /"time_past".*Choose a time at least one minute from now\./],
    ['this very minute', { at: inMinutes(0) }, {}, 400, /Choose a time at least one minute from now\./],
    ['more than 180 days', { at: onDay(182) }, {}, 400, /"time_far".*Choose a time within the next 180 days\./],
    ['a bad zone', { timeZone: 'Mars/Olympus' }, {}, 400, /The time zone is not known/],
    ['no calendar day', { at: '2027-02-30T09:00' }, {}, 400, /Enter a date and a time/],
    ['seconds', { at: '2027-02-20T09:00:30' }, {}, 400, /Enter a date and a time/],
    ['an unknown field', { soon: true }, {}, 400, /Unknown field: soon/],
    ['an unknown field of the email', {}, { priority: 1 }, 400, /Unknown field: priority/],
    ['no subject', {}, { subject: ' ' }, 400, /Subject is required/],
    ['a NUL', {}, { content: 'a\u0000b' }, 400, /./],
    ['a list of nobody', {}, { emailListIds: [randomUUID()] }, 404, /Email list not found/],
    ['the other role', {}, { emailType: 'candidate-list' }, 403, /role_not_allowed/],
    ['content and document', {}, { document: doc(paragraph('x')) }, 400, /Send either content or document/],
    ['a hostile document', {}, { content: undefined, document: doc({ type: 'script' }) }, 400, /document_invalid/],
    ['no email', { send: 'x' }, {}, 400, /send must be an email/],
  ])('refuses %s and stores nothing', async (_what, extra, send, status, says) => {
    const before = await stored();
    const body = 'send' in extra ? { ...scheduleBody(people), ...extra } : scheduleBody(people, extra, send);
    const answer = await post(body).expect(status);
    expect(JSON.stringify(answer.body)).toMatch(says);
    expect(await stored()).toBe(before);
  });

  it('answers a repeated request with the first, and refuses its key for another email or time', async () => {
    const body = scheduleBody(people, { at: onDay(3) }, { subject: `Once ${randomUUID()}` });
    const key = randomUUID();
    const press = (sent: object) => post(sent).set('Idempotency-Key', key);
    const answers = await Promise.all(Array.from({ length: 6 }, () => press(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ body: { id } }) => id as string)).size).toBe(1);
    await press({ ...body, at: onDay(4) }).expect(422);
    await press({ ...body, send: { ...body.send, subject: 'Other' } }).expect(422);
  });

  it('includes its draft, which is scheduled at most once and then cannot be sent by hand', async () => {
    const begin = await user.agent.post('/api/drafts').send({ subject: 'Draft', content: 'Hello' }).expect(201);
    const draftId = begin.body.id as string;
    await post(scheduleBody(people, {}, { draftId, draftVersion: 9 })).expect(412);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(scheduleBody(people, {}, { draftId, draftVersion: 1 }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
    const gone = await user.agent.get(`/api/drafts/${draftId}`).expect(410);
    expect(gone.body).toMatchObject({ code: 'draft_scheduled', details: { scheduledId: answers[0]!.body.id } });
    await user.agent.post('/api/send-email').send(sendBody(people, { draftId })).expect(410);
    await user.agent.put(`/api/drafts/${draftId}`).set('If-Match', '"1"').send({ subject: 'x' }).expect(410);
    const sent = await user.agent.post('/api/drafts').send({ subject: 'Draft', content: 'Hello' }).expect(201);
    await user.agent
      .post('/api/send-email')
      .send(sendBody(people, { draftId: sent.body.id }))
      .expect(202);
    await post(scheduleBody(people, {}, { draftId: sent.body.id }))
      .expect(410)
      .expect(/draft_sent/);
  });
});

describe('changing a scheduled email', () => {
  it('requires the current version: of two windows the second is refused', async () => {
    const { id } = await schedule(user, people);
    const change = (body: object) => user.agent.patch(`/api/scheduled-sends/${id}`).send(body);
    const answers = await Promise.all([change({ version: 1, at: onDay(4) }), change({ version: 1, at: onDay(5) })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'version_conflict',
      message: 'This email was changed elsewhere. Reload to see it.',
    });
    const { body } = await change({ version: 2, send: sendBody(people, { subject: 'The rate is $60' }) }).expect(200);
    expect(body).toMatchObject({ version: 3, subject: 'The rate is $60', state: 'scheduled' });
    await change({ version: 3, at: inMinutes(-1) })
      .expect(400)
      .expect(/time_past/);
    await change({ version: 3, send: sendBody(people, { subject: '' }) }).expect(400);
    await change({ version: 3, wrong: 1 }).expect(400);
    expect(await read(user, id)).toMatchObject({ version: 3, subject: 'The rate is $60' });
  });

  it('is impossible after a cancel, and cancelling twice is one cancel', async () => {
    const { id } = await schedule(user, people);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => user.agent.post(`/api/scheduled-sends/${id}/cancel`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    expect(answers[0]!.body).toMatchObject({ state: 'cancelled', version: 2 });
    await user.agent
      .patch(`/api/scheduled-sends/${id}`)
      .send({ version: 2, at: onDay(4) })
      .expect(409);
    await user.agent.post(`/api/scheduled-sends/${id}/send-now`).expect(409);
  });

  it('can send it now instead, once', async () => {
    const before = await entries(app, user.id);
    const { id } = await schedule(user, people, {}, { subject: `Now ${randomUUID()}` });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => user.agent.post(`/api/scheduled-sends/${id}/send-now`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    expect(await entries(app, user.id)).toBe(before + 1);
    const after = await read(user, id);
    expect(after).toMatchObject({ state: 'sent', historyId: answers.find(({ status }) => status === 202)!.body.id });
    const late = await user.agent.post(`/api/scheduled-sends/${id}/cancel`).expect(409);
    expect(late.body).toMatchObject({
      code: 'already_leaving',
      message: 'This email is leaving now. You can stop it under Send History.',
    });
  });
});

describe("the day's limit with scheduled emails", () => {
  it('keeps exactly three of 50 concurrent schedules on Free, one a day', async () => {
    const free = await app.user();
    const list = await seedList(app, free, { count: 1 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        post(scheduleBody(list, { at: onDay(1 + (n % 10)) }, { subject: `N ${n}` }), free),
      ),
    );
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body as { at: string });
    expect(made).toHaveLength(3);
    expect(new Set(made.map(({ at }) => at)).size).toBe(3);
    const refused = new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code as string));
    expect([...refused].every((code) => ['plan_limit', 'daily_limit'].includes(code))).toBe(true);
    expect(await stored(free.id)).toBe(3);
  });

  it('counts them against a send by hand until they are cancelled', async () => {
    const timeZone = noonZone();
    const free = await app.user({ set: { time_zone: timeZone } });
    const list = await seedList(app, free, { count: 1 });
    const { id } = await schedule(free, list, { at: inMinutes(120, timeZone), timeZone });
    const me = async () => (await free.agent.get('/api/auth/me').expect(200)).body.entitlements as object;
    expect(await me()).toMatchObject({ sentToday: 0, scheduledToday: 1, remainingToday: 0 });
    const refused = await free.agent.post('/api/send-email').send(sendBody(list)).expect(429);
    const time = DateTime.now().setZone(timeZone).plus({ minutes: 120 }).startOf('minute').toFormat('h:mm a');
    expect(refused.body).toMatchObject({ code: 'daily_limit' });
    expect(refused.body.message).toMatch(
      /^Your only email of today is scheduled for \d+:\d\d [AP]M\. Cancel it or send tomorrow\.$/,
    );
    expect(refused.body.message.slice(0, 48)).toContain(time.split(':')[0]!);
    const second = await post(scheduleBody(list, { at: inMinutes(180, timeZone), timeZone }), free).expect(429);
    expect(second.body.code).toBe('daily_limit');
    await free.agent.post(`/api/scheduled-sends/${id}/cancel`).expect(200);
    expect(await me()).toMatchObject({ scheduledToday: 0, remainingToday: 1 });
    await free.agent.post('/api/send-email').send(sendBody(list)).expect(202);
  });

  it('names in its refusal the scheduled emails that count, and is freed when an email moves to another day', async () => {
    const timeZone = noonZone();
    const some = await app.user({ set: { custom_daily_limit: '2', time_zone: timeZone } });
    const list = await seedList(app, some, { count: 1 });
    const { id } = await schedule(some, list, { at: inMinutes(120, timeZone), timeZone });
    await some.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject: 'One' }))
      .expect(202);
    const refused = await some.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject: 'Two' }))
      .expect(429);
    expect(refused.body.message).toBe("1 of today's 2 emails is scheduled.");
    await some.agent
      .patch(`/api/scheduled-sends/${id}`)
      .send({ version: 1, at: onDay(3), timeZone: ZONE })
      .expect(200);
    await some.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject: 'Two' }))
      .expect(202);
  });

  it('is shared by the accounts of one mailbox on Free', async () => {
    const name = `m${randomUUID().slice(0, 8)}`;
    const [one, other] = [
      await app.user({ email: `${name}+one@gmail.com` }),
      await app.user({ email: `${name}+two@gmail.com` }),
    ];
    const [ofOne, ofOther] = [await seedList(app, one, { count: 1 }), await seedList(app, other, { count: 1 })];
    await schedule(one, ofOne);
    await post(scheduleBody(ofOther), other).expect(429);
  });
});

describe('a picture in a scheduled email', () => {
  it('cannot be deleted until the email is cancelled', async () => {
    const upload = user.agent.post('/api/files').set('Sec-Fetch-Site', 'same-origin').field('kind', 'image');
    const { body: picture } = await upload.attach('file', PNG, 'logo.png').expect(201);
    const image = { type: 'image', attrs: { fileId: picture.id as string, alt: 'Logo' } };
    const { id } = await schedule(user, people, {}, { content: undefined, document: doc(paragraph('Hi'), image) });
    const kept = await user.agent.delete(`/api/files/${picture.id}`).expect(409);
    expect(kept.body).toMatchObject({ code: 'picture_in_use' });
    await user.agent.post(`/api/scheduled-sends/${id}/cancel`).expect(200);
    await user.agent.delete(`/api/files/${picture.id}`).expect(204);
  });
});
