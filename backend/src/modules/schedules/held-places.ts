import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/queries/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import { Accounts, type LimitScope } from '../auth/index.js';
import {
  type CountedDay,
  type DailyLimit,
  HeldPlaces,
  type HeldPlacesOfDay,
  type HeldPlaceSource,
  UsageLedger,
} from '../history/index.js';
import { dailyLimitReached, placesHeld } from '../sending/index.js';
import { ScheduleClock } from './due/schedule-clock.js';
import { tooManyWaiting } from './schedules.errors.js';
import { NIL_UUID } from '../../shared/text/formats.js';

/** Maximum number of waiting scheduled sends of a paying account. */
const PRO_WAITING = 100;

/** How many scheduled sends an account may have waiting, and how many sends it may make per day. */
export interface WaitingLimits extends DailyLimit {
  waiting: number;
  isFree: boolean;
}

/**
 * Counts the sends of a day's limit that are reserved for scheduled sends until they leave ("held places"; see
 * decisions.md: scheduled-sends). Callers hold the user's lock `send:{user}`.
 */
@Injectable()
export class ScheduledPlaces implements OnModuleInit, HeldPlaceSource {
  constructor(
    private readonly places: HeldPlaces,
    private readonly usage: UsageLedger,
    private readonly accounts: Accounts,
    private readonly settings: Settings,
    private readonly clock: ScheduleClock,
  ) {}

  onModuleInit(): void {
    this.places.readFrom(this);
  }

  /**
   * Counts the sends that are due on the day, and late sends that will leave today.
   * @param except id of a scheduled send that does not count
   */
  async held(
    em: EntityManager,
    userId: string,
    scope: LimitScope,
    { date, timeZone }: CountedDay,
    except = NIL_UUID,
  ): Promise<HeldPlacesOfDay> {
    const late = this.settings.scheduleLateMinutes;
    const whose =
      scope === 'mailbox'
        ? `(user_id = ? or user_id in (select id from users where mailbox_hash = (select mailbox_hash from users where id = ?)))`
        : `user_id = ?`;
    const [found] = await rows<HeldPlacesOfDay>(
      em,
      `select count(*)::int as count, min(due_at) as "firstAt" from scheduled_sends,
         lateral (select (?::date)::timestamp at time zone ? as begins, (?::date + 1)::timestamp at time zone ? as ends) day
       where ${whose} and state = 'scheduled' and id <> ? and due_at < day.ends
         and (due_at >= day.begins or (day.begins <= ${this.clock.sql} and due_at >= ${this.clock.sql} - make_interval(mins => ?)))`,
      [date, timeZone, date, timeZone, ...(scope === 'mailbox' ? [userId, userId] : [userId]), except, late],
    );
    return found ?? { count: 0, firstAt: null };
  }

  /**
   * Ensures that the account may have one more waiting send, and that the limit of the send's day has a free place.
   * @param limit the account's limits, read before the lock was taken, because a transaction that holds the lock must
   * not need a second connection
   * @param own id of the scheduled send that is being changed; null: a new one
   * @returns the day on which the send holds a place
   * @throws 403 `plan_limit`, 429 `daily_limit`
   */
  async require(
    em: EntityManager,
    user: RequestUser,
    limit: WaitingLimits,
    dueAt: Date,
    own: string | null = null,
  ): Promise<string> {
    await this.requireRoom(em, user.id, limit, own);
    await this.usage.lock(em, user.id);
    const day = await this.usage.dayAt(em, user.id, user.timeZone, dueAt, limit.limitScope);
    if (limit.dailyLimit === null) return day.date;
    const held = await this.held(em, user.id, limit.limitScope, day, own ?? NIL_UUID);
    if (day.emailsSent + held.count + 1 <= limit.dailyLimit) return day.date;
    const today = await this.usage.today(em, user.id, user.timeZone, limit.limitScope);
    throw held.count === 0
      ? dailyLimitReached(limit.dailyLimit, day.secondsLeft)
      : placesHeld(limit.dailyLimit, held, day, today.date === day.date);
  }

  /** How many scheduled sends the account may have waiting, and how many sends it may make per day. */
  async limitsOf(userId: string): Promise<WaitingLimits> {
    const { plan, dailyLimit, limitScope } = await this.accounts.entitlementsOf(userId);
    const isFree = plan === 'free';
    return { dailyLimit, limitScope, isFree, waiting: isFree ? this.settings.freeScheduledLimit : PRO_WAITING };
  }

  private async requireRoom(
    em: EntityManager,
    userId: string,
    { waiting: most, isFree }: WaitingLimits,
    own: string | null,
  ): Promise<void> {
    const [found] = await rows<{ waiting: number }>(
      em,
      `select count(*)::int as waiting from scheduled_sends where user_id = ? and state = 'scheduled' and id <> ?`,
      [userId, own ?? NIL_UUID],
    );
    if ((found?.waiting ?? 0) >= most) throw tooManyWaiting(most, isFree);
  }
}
