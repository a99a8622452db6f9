import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DueTimes } from '../../../src/modules/schedules/due/due-times.service.js';
import { ScheduleSweeper } from '../../../src/modules/schedules/due/schedule-sweeper.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type TestApp } from '../../kit/app.js';
import { doc, mergeTag, paragraph } from '../../kit/samples/documents.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, settled } from '../sending/support.js';
import { entries, inMinutes, makeDue, onDay, over, read, schedule, startScheduling, ZONE } from './support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startScheduling();
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => app.close());

const mailsOf = (subject: string) => app.mails.all.filter((mail) => mail.subject.includes(subject));

describe('a scheduled email that is due', () => {
  it('leaves once, as a send of that day, with the text at the time of scheduling', async () => {
    const subject = `Due ${randomUUID()}`;
    const document = doc(paragraph('Hi ', mergeTag('first_name', 'there'), ','));
    const draft = await user.agent.post('/api/drafts').send({ subject: 'Draft' }).expect(201);
    const { id } = await schedule(user, people, {}, { subject, content: undefined, document, draftId: draft.body.id });
    const before = await entries(app, user.id);
    await makeDue(app, [id]);
    const sent = await over(user, id);
    expect(sent).toMatchObject({ state: 'sent', reason: null });
    await settled(user, sent.historyId!);
    expect(await entries(app, user.id)).toBe(before + 1);
    expect(mailsOf(subject)).toHaveLength(2);
    const [entry] = await rows<object>(
      app.em(),
      `select idempotency_key as key, draft_id as "draftId", subject from email_history where id = ?`,
      [sent.historyId],
    );
    expect(entry).toEqual({ key: `scheduled:${id}`, draftId: draft.body.id, subject });
    const gone = await user.agent.get(`/api/drafts/${draft.body.id}`).expect(410);
    expect(gone.body).toMatchObject({ code: 'draft_sent', details: { sendId: sent.historyId } });
    await user.agent
      .patch(`/api/scheduled-sends/${id}`)
      .send({ version: sent.version, at: onDay(2) })
      .expect(409);
  });

  it('reaches the lists that still exist, with their present contacts and names', async () => {
    const [kept, gone] = [await seedList(app, user, { count: 1 }), await seedList(app, user, { count: 2 })];
    const { id } = await schedule(user, [kept, gone], {}, { subject: `Lists ${randomUUID()}` });
    await user.agent.delete(`/api/email-lists/${gone.id}`).expect(204);
    await user.agent.patch(`/api/email-lists/${kept.id}`).send({ name: 'Renamed' }).expect(200);
    await makeDue(app, [id]);
    const { historyId } = await over(user, id);
    const entry = await settled(user, historyId!);
    expect(entry).toMatchObject({ recipientCount: '1', lists: [{ id: kept.id, name: 'Renamed' }] });
  });

  it('is sent although it is late, and needs attention where it is too late', async () => {
    const [late, missed] = [await schedule(user, people), await schedule(user, people, { at: onDay(2) })];
    await makeDue(app, [late.id], 59 * 60);
    expect((await over(user, late.id)).state).toBe('sent');
    await makeDue(app, [missed.id], 61 * 60);
    expect(await over(user, missed.id)).toMatchObject({
      state: 'blocked',
      reason: 'missed',
      reasonText: 'Staffcast could not send at 9:00 AM. Nothing went out. Send it now or choose another time.',
      historyId: null,
    });
    const told = await rows<{ params: object }>(
      app.em(),
      `select params from notifications where user_id = ? and kind = 'schedule.blocked' and params ->> 'scheduledId' = ?`,
      [user.id, missed.id],
    );
    expect(told).toMatchObject([
      { params: { reason: expect.stringMatching(/^Staffcast could not send at 9:00 AM\./) } },
    ]);
    const change = (at: string) => user.agent.patch(`/api/scheduled-sends/${missed.id}`).send({ version: 2, at });
    await change(inMinutes(-60))
      .expect(400)
      .expect(/time_past/);
    const again = await change(onDay(3)).expect(200);
    expect(again.body).toMatchObject({ state: 'scheduled', reason: null, reasonText: null });
  });

  it.each<[string, string, (list: SeededList) => Promise<unknown>]>([
    ['no_lists', 'Its lists were deleted.', (list) => user.agent.delete(`/api/email-lists/${list.id}`).expect(204)],
    [
      'no_recipients',
      'Nobody on these lists could be mailed.',
      (list) =>
        rows(app.em(), `update subscriptions set confirmed = false where email_list_id = ? returning id`, [list.id]),
    ],
  ])('needs attention for %s, and leaves no partial send', async (reason, reasonText, act) => {
    const list = await seedList(app, user, { count: 1 });
    const { id } = await schedule(user, list);
    const before = await entries(app, user.id);
    await act(list);
    await makeDue(app, [id]);
    expect(await over(user, id)).toMatchObject({ state: 'blocked', reason, reasonText, historyId: null });
    expect(await entries(app, user.id)).toBe(before);
    await user.agent.post(`/api/scheduled-sends/${id}/cancel`).expect(200);
  });

  it('needs attention where the account may no longer send it', async () => {
    const turned = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, turned, { count: 1 });
    const { id } = await schedule(turned, list);
    await turned.agent.patch('/api/auth/user/role').send({ role: 'bench-sales' }).expect(200);
    await makeDue(app, [id]);
    expect(await over(turned, id)).toMatchObject({
      reason: 'role_not_allowed',
      reasonText: 'Bench sales accounts send candidate lists only',
    });
    await turned.agent.post(`/api/scheduled-sends/${id}/send-now`).expect(403);
    expect(await read(turned, id)).toMatchObject({ state: 'blocked', reason: 'role_not_allowed' });
  });

  it('of a plan that lapsed leaves within the present limit, the earliest first', async () => {
    const lapsed = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, lapsed, { count: 1 });
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push(await schedule(lapsed, list, {}, { subject: `Lapsed ${n}` }));
    await rows(app.em(), `update users set plan_access_until = null, tier = 'free' where id = ? returning id`, [
      lapsed.id,
    ]);
    await rows(
      app.em(),
      `update scheduled_sends set due_at = now() - make_interval(secs => 60 - place) from unnest(?::uuid[]) with ordinality t(made, place) where id = made returning id`,
      [made.map(({ id }) => id)],
    );
    const ends = await Promise.all(made.map(({ id }) => over(lapsed, id)));
    expect(ends.map(({ state, reason }) => reason ?? state)).toEqual([
      'sent',
      'daily_limit',
      'daily_limit',
      'daily_limit',
    ]);
    expect(ends[1]!.reasonText).toBe('Your daily limit was used up when this was due. Choose another day.');
    expect(await entries(app, lapsed.id)).toBe(1);
  });
});

describe('an account that is suspended', () => {
  it('has all its scheduled emails blocked at once, and none is released when it is reinstated', async () => {
    const admin = await app.user({ admin: true });
    const held = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, held, { count: 1 });
    const made = [await schedule(held, list), await schedule(held, list, { at: onDay(2) })];
    const change = (suspended: boolean) =>
      admin.agent.patch(`/api/admin/users/${held.id}`).send({ suspended, reason: 'Complaints' }).expect(200);
    await change(true);
    const states = await rows<{ state: string; reason: string }>(
      app.em(),
      `select state, reason from scheduled_sends where user_id = ?`,
      [held.id],
    );
    expect(states).toEqual(Array(2).fill({ state: 'blocked', reason: 'suspended' }));
    await change(false);
    await makeDue(
      app,
      made.map(({ id }) => id),
    );
    await app.get(ScheduleSweeper).sweep();
    const ended = await rows<{ state: string }>(app.em(), `select state from scheduled_sends where user_id = ?`, [
      held.id,
    ]);
    expect(ended).toEqual(Array(2).fill({ state: 'blocked' }));
    expect(await entries(app, held.id)).toBe(0);
  });
});

describe('the zone data of a newer version', () => {
  it('changes the instant and keeps the local time', async () => {
    const { id, dueAt } = await schedule(user, people, { at: onDay(5) });
    await rows(
      app.em(),
      `update scheduled_sends set due_at = due_at + interval '1 hour', zone_data = 'older' where id = ? returning id`,
      [id],
    );
    await app.get(DueTimes).deriveAnew();
    expect(await read(user, id)).toMatchObject({ dueAt, at: onDay(5), timeZone: ZONE });
  });
});

describe('scheduled emails', () => {
  it('are in the export, and are deleted 30 days after they ended and with their account', async () => {
    const leaving = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, leaving, { count: 1 });
    const [kept, old] = [await schedule(leaving, list), await schedule(leaving, list, { at: onDay(2) })];
    await leaving.agent.post(`/api/scheduled-sends/${old.id}/cancel`).expect(200);
    await rows(
      app.em(),
      `update scheduled_sends set updated_at = now() - interval '31 days' where user_id = ? returning id`,
      [leaving.id],
    );
    const { Retention } = await import('../../../src/shared/retention/retention.js');
    await app.get(Retention).purge();
    const left = await rows<{ id: string }>(app.em(), `select id from scheduled_sends where user_id = ?`, [leaving.id]);
    expect(left).toEqual([{ id: kept.id }]);
    const { ExportParts } = await import('../../../src/shared/personal-data.js');
    const file = app
      .get(ExportParts)
      .filesOf(leaving.id)
      .find(({ file: name }) => name === 'scheduled.csv')!;
    let text = '';
    for await (const part of file.text()) text += part;
    expect(text).toContain(kept.id);
    await leaving.agent.post('/api/auth/delete-account').send({ password: 'correct horse battery' }).expect(200);
    await untilAccountSettled(app, leaving);
    expect(await rows(app.em(), `select id from scheduled_sends where user_id = ?`, [leaving.id])).toEqual([]);
  });
});
