import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { SendFinalizer } from '../delivery/index.js';
import { SendTotalsReader } from '../history/index.js';
import { Notifications } from '../notifications/index.js';

/** Share of a week's messages that bounced from which mailbox providers hold it against a sender. */
const WARNING = 0.03;
/** Fewer messages in a week allow no judgement. */
const MIN_MAILS = 100;
/** Days between two warnings of one account. */
const WARN_EVERY_DAYS = 7;
/** Ms between two checks of one account for late reports, which arrive in bursts. */
const LOOK_EVERY_MS = 5_000;
const KEPT = 1_000;

/** Tells a sender that bounces are rising: when a send ends, and when reports come back after that. */
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

  /** Checks again after a late report, at most every few seconds for an account; the next report or send makes up for a skipped check. */
  async checkSometimes(em: EntityManager, userId: string): Promise<void> {
    const now = performance.now();
    if (now - (this.looked.get(userId) ?? -Infinity) < LOOK_EVERY_MS) return;
    if (this.looked.size >= KEPT) this.looked.clear();
    this.looked.set(userId, now);
    await this.check(em, userId);
  }

  /** Warns within the caller's transaction where more of this week's messages bounced than a sender may have, and than the week before. */
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

  /** Addresses that do not exist, refused at once: their messages are not among the accepted ones. */
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
