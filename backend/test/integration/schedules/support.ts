import { DateTime } from 'luxon';
import { ScheduleClock, ScheduleTuning } from '../../../src/modules/schedules/due/schedule-clock.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { AppOptions, TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { sendBody, type SeededList, startSending } from '../sending/support.js';

export const ZONE = 'America/New_York';

/**
 * Starts the product with a scheduler that checks often.
 * @param clock decides when sends become due
 */
export function startScheduling(
  options: AppOptions & { tuning?: Partial<ScheduleTuning>; clock?: ScheduleClock } = {},
): Promise<TestApp> {
  const { tuning, clock, ...rest } = options;
  return startSending(
    {},
    {
      ...rest,
      override: (builder) => {
        const tuned = builder
          .overrideProvider(ScheduleTuning)
          .useValue(Object.assign(new ScheduleTuning(), { sweepMs: 200, fileRetryMs: 100, ...tuning }));
        return clock ? tuned.overrideProvider(ScheduleClock).useValue(clock) : tuned;
      },
    },
  );
}

/** A local time this many minutes from now, by default in New York. */
export const inMinutes = (minutes: number, zone = ZONE): string =>
  DateTime.now().setZone(zone).plus({ minutes }).toFormat("yyyy-MM-dd'T'HH:mm");
/** Nine in the morning in New York, this many days from now. */
export const onDay = (days: number): string =>
  DateTime.now().setZone(ZONE).plus({ days }).set({ hour: 9 }).toFormat("yyyy-MM-dd'T'HH:00");

/** A request that schedules an email. */
export const scheduleBody = (list: SeededList | SeededList[], extra: object = {}, send: object = {}) => ({
  send: sendBody(list, { ...send }),
  at: onDay(1),
  timeZone: ZONE,
  ...extra,
});

export interface Scheduled {
  id: string;
  state: string;
  reason: string | null;
  reasonText: string | null;
  version: number;
  historyId: string | null;
  dueAt: string;
}

/** Schedules an email. */
export async function schedule(user: SignedUp, list: SeededList | SeededList[], extra: object = {}, send: object = {}) {
  const answer = await user.agent
    .post('/api/scheduled-sends')
    .send(scheduleBody(list, extra, send))
    .expect(201);
  return answer.body as Scheduled;
}

export const read = async (user: SignedUp, id: string): Promise<Scheduled> =>
  (await user.agent.get(`/api/scheduled-sends/${id}`).expect(200)).body as Scheduled;

/** Makes scheduled sends due, as if their time had come this many seconds ago. */
export async function makeDue(app: TestApp, ids: string[], secondsAgo = 0): Promise<void> {
  await rows(
    app.em(),
    `update scheduled_sends set due_at = now() - make_interval(secs => ?) where id = any(?::uuid[]) returning id`,
    [secondsAgo, ids],
  );
}

/** Waits until a scheduled send has left or needs attention. */
export async function over(user: SignedUp, id: string): Promise<Scheduled> {
  await until(async () => ['sent', 'blocked'].includes((await read(user, id)).state));
  return read(user, id);
}

/** Number of entries in the account's history. */
export async function entries(app: TestApp, userId: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    app.em(),
    `select count(*)::int as n from email_history where user_id = ?`,
    [userId],
  );
  return found!.n;
}

/** A time zone in which it is about noon, so that the day has hours before and after now. */
export function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
