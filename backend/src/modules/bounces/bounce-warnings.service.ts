import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { SendFinalizer } from '../delivery/index.js';
import { SendTotalsReader } from '../history/index.js';
import { Notifications } from '../notifications/index.js';

/** Share of bounced messages in a week from which mailbox providers start to distrust a sender. */
const WARNING = 0.03;
/** Below this number of messages a week, a bounce rate says nothing about a sender. */
const MIN_MAILS = 100;
/** Minimum days between two warnings to one account. */
const WARN_EVERY_DAYS = 7;
/** Minimum ms between two checks of one account that late reports trigger, because reports arrive in bursts. */
const LOOK_EVERY_MS = 5_000;
const MAX_CACHED_ACCOUNTS = 1_000;

/** Warns a sender whose bounce rate is rising: when a send ends, and when reports arrive after that. */
@Injectable()
export class BounceWarnings implements OnModuleInit {
  private readonly looked = new Map<string, number>();

  constructor(
    private readonly finalizer: SendFinalizer,
    private readonly totals: SendTotalsReader,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.finalizer.whenSettling((em, userId) => this.check(em, userId));
  }

  /**
   * Checks again after a late report, at most every LOOK_EVERY_MS per account. The next report or send makes up for a
   * skipped check.
   */
  async checkSometimes(em: EntityManager, userId: string): Promise<void> {
    const now = performance.now();
    if (now - (this.looked.get(userId) ?? -Infinity) < LOOK_EVERY_MS) return;
    if (this.looked.size >= MAX_CACHED_ACCOUNTS) this.looked.clear();
    this.looked.set(userId, now);
    await this.check(em, userId);
  }

  /**
   * Warns the sender, within the caller's transaction, if this week's bounce rate is at least WARNING and higher than
   * the previous week's.
   */
  async check(em: EntityManager, userId: string): Promise<void> {
    if (await this.notifications.hasRecent(em, userId, 'reputation.warning', WARN_EVERY_DAYS)) return;
    const [accepted, refused] = [await this.totals.weeksOf(em, userId), await this.refusedOf(em, userId)];
    const rateOf = (week: 'now' | 'before') => {
      const mails = accepted[week].accepted + refused[week];
      return mails < MIN_MAILS ? 0 : (accepted[week].bounced + refused[week]) / mails;
    };
    const bounceRate = rateOf('now');
    if (bounceRate < WARNING || bounceRate <= rateOf('before')) return;
    const params = { bounceRate };
    await this.notifications.add(em, { userId, kind: 'reputation.warning', groupKey: 'reputation', params });
  }

  /**
   * Counts messages that were refused during the SMTP dialogue because the address does not exist. The totals do not
   * count these messages as accepted.
   */
  private async refusedOf(em: EntityManager, userId: string): Promise<{ now: number; before: number }> {
    const [found] = await rows<{ now: number; before: number }>(
      em,
      `select (count(*) filter (where created_at > now() - interval '7 days'))::int as now, (count(*) filter (where created_at <= now() - interval '7 days'))::int as before
       from bounce_reports where user_id = ? and created_at > now() - interval '14 days' and report_key = 'smtp' and class = 'hard-address'`,
      [userId],
    );
    return found!;
  }
}
