import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { ScheduleSweeper } from '../../../src/modules/schedules/due/schedule-sweeper.js';
import { ScheduleClock } from '../../../src/modules/schedules/due/schedule-clock.js';
import type { TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList } from '../sending/support.js';
import { entries, makeDue, over, read, schedule, scheduleBody, startScheduling } from './support.js';

/** A clock that stands still until the test moves it. */
class FixedClock extends ScheduleClock {
  set(iso: string): void {
    this.sql = `'${iso}'::timestamptz`;
  }
}

const clock = new FixedClock();
let app: TestApp;
let other: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startScheduling({ clock });
  other = await startScheduling({ beside: app, clock });
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 1 });
});
afterAll(async () => {
  await other?.close();
  await app?.close();
});

it('two workers send each of 30 emails that are due at once exactly once', async () => {
  const users = [user, await app.user({ set: { tier: 'pro' } }), await app.user({ set: { tier: 'pro' } })];
  const made: [SignedUp, string][] = [];
  for (const one of users) {
    const list = one === user ? people : await seedList(app, one, { count: 1 });
    for (let n = 0; n < 10; n += 1) made.push([one, (await schedule(one, list, {}, { subject: `Both ${n}` })).id]);
  }
  const before = await Promise.all(users.map(({ id }) => entries(app, id)));
  await makeDue(
    app,
    made.map(([, id]) => id),
  );
  await Promise.all(made.map(([one, id]) => over(one, id)));
  const after = await Promise.all(users.map(({ id }) => entries(app, id)));
  expect(after.map((n, place) => n - before[place]!)).toEqual([10, 10, 10]);
  const ids = await rows<{ n: number }>(
    app.em(),
    `select count(distinct history_id)::int as n from scheduled_sends where state = 'sent'`,
  );
  expect(ids[0]!.n).toBe(30);
});

it('cancelling and leaving at the same moment have exactly one of the two outcomes', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id } = await schedule(user, people, {}, { subject: `Race ${round}` });
    const before = await entries(app, user.id);
    await makeDue(app, [id]);
    const { status } = await user.agent.post(`/api/scheduled-sends/${id}/cancel`);
    const { state } = await read(user, id);
    expect([status, state]).toEqual(status === 200 ? [200, 'cancelled'] : [409, 'sent']);
    expect(await entries(app, user.id)).toBe(before + (state === 'sent' ? 1 : 0));
  }
});

const WALKS = [
  // Each entry has a zone, the local time that is skipped, the local time that occurs twice, and the minutes between
  // these two occurrences.
  ['America/New_York', '2027-03-14T02:30', '2027-11-07T01:30', 60],
  ['America/Los_Angeles', '2027-03-14T02:15', '2027-11-07T01:15', 60],
  ['Europe/London', '2027-03-28T01:30', '2027-10-31T01:30', 60],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-04-04T01:45', 30],
] as const;

it.each(WALKS)(
  'in %s the skipped hour is refused, and an email in the repeated hour leaves at the chosen instant',
  async (timeZone, skipped, doubled, apart) => {
    const at = (iso: string, minutes: number) =>
      DateTime.fromISO(iso, { zone: timeZone }).plus({ minutes }).toUTC().toISO()!;
    clock.set(at(skipped, -24 * 60));
    const refused = await user.agent
      .post('/api/scheduled-sends')
      .send(scheduleBody(people, { at: skipped, timeZone }))
      .expect(400);
    expect(refused.body.code).toBe('time_skipped');
    expect(refused.body.message).toMatch(
      /^\d:\d\d AM does not exist on \w{3} \d+ in this time zone\. Clocks go from \d:00 to \d:[03]0\.$/,
    );

    clock.set(at(doubled, -24 * 60));
    const first = await schedule(user, people, { at: doubled, timeZone }, { subject: `First ${timeZone}` });
    const second = await schedule(
      user,
      people,
      { at: doubled, timeZone, later: true },
      { subject: `Second ${timeZone}` },
    );
    const [one, two] = [new Date(first.dueAt).getTime(), new Date(second.dueAt).getTime()];
    expect(two - one).toBe(apart * 60_000);
    clock.set(new Date(one - 1000).toISOString());
    for (const instance of [app, other]) await instance.get(ScheduleSweeper).sweep();
    expect((await read(user, first.id)).state).toBe('scheduled');
    clock.set(new Date(one).toISOString());
    expect((await over(user, first.id)).state).toBe('sent');
    expect((await read(user, second.id)).state).toBe('scheduled');
    clock.set(new Date(two + 1000).toISOString());
    expect((await over(user, second.id)).state).toBe('sent');
  },
);

it('emails that came due while no worker ran leave when one is back', async () => {
  clock.sql = 'now()';
  const { id } = await schedule(user, people, {}, { subject: 'Away' });
  await rows(app.em(), `update scheduled_sends set due_at = now() - interval '20 minutes' where id = ? returning id`, [
    id,
  ]);
  await until(async () => (await read(user, id)).state === 'sent');
});
