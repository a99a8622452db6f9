import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { PlanSubscription } from '../billing.entities.js';
import type { PlanTerm } from './plan-terms.js';

export interface Payer {
  userId: string;
  customerId: string;
  /** Id of the invite through which the account was created; null if there was none. */
  inviteId: string | null;
}

/** Stored paid terms (`user_subscriptions`). */
@Injectable()
export class PlanRecords {
  async termsOf(em: EntityManager, userId: string): Promise<PlanTerm[]> {
    const found = await em.find(
      PlanSubscription,
      { userId, stripeSubscriptionId: { $ne: null } },
      { disableIdentityMap: true },
    );
    return found.map((row) => ({
      stripeSubscriptionId: row.stripeSubscriptionId!,
      status: row.status,
      planId: row.planId ?? null,
      periodStart: row.currentPeriodStart ?? null,
      periodEnd: row.currentPeriodEnd ?? null,
      isEnding: row.cancelAtPeriodEnd,
      canceledAt: row.canceledAt ?? null,
      endedAt: null,
      startedAt: row.startedAt ?? (row.createdAt as unknown as Date),
    }));
  }

  /** Number of terms that the account ever had. */
  async count(em: EntityManager, userId: string): Promise<number> {
    return em.count(PlanSubscription, { userId });
  }

  /** Upserts a term from Stripe's state; remembers the previous plan on a change. */
  async write(em: EntityManager, { userId, customerId, inviteId }: Payer, term: PlanTerm): Promise<void> {
    await changed(
      em,
      `insert into user_subscriptions as row
         (user_id, plan_id, stripe_customer_id, stripe_subscription_id, status, current_period_start, current_period_end, cancel_at_period_end, canceled_at, started_at, referral_invite_id)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (stripe_subscription_id) do update set
         upgraded_from_plan_id = case when row.plan_id <> excluded.plan_id then row.plan_id else row.upgraded_from_plan_id end,
         plan_id = excluded.plan_id, status = excluded.status, current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
         cancel_at_period_end = excluded.cancel_at_period_end, canceled_at = excluded.canceled_at, started_at = excluded.started_at, updated_at = now()`,
      [
        userId,
        term.planId,
        customerId,
        term.stripeSubscriptionId,
        term.status,
        term.periodStart,
        term.periodEnd,
        term.isEnding,
        term.canceledAt ?? term.endedAt,
        term.startedAt,
        inviteId,
      ],
    );
  }

  /** Ends all open terms, because Stripe no longer knows the customer. */
  async closeAll(em: EntityManager, userId: string, now: Date): Promise<void> {
    await changed(
      em,
      `update user_subscriptions set status = 'canceled', canceled_at = coalesce(canceled_at, ?), updated_at = now()
       where user_id = ? and status not in ('canceled', 'incomplete_expired')`,
      [now, userId],
    );
  }

  /**
   * Accounts whose stored terms may be outdated: in force past the period's end, past due, or incomplete for over a
   * day.
   */
  async possiblyOutdated(em: EntityManager, now: Date, limit: number): Promise<string[]> {
    const dayAgo = new Date(Number(now) - 86_400_000);
    const found = await rows<{ user_id: string }>(
      em,
      `select distinct user_id from user_subscriptions where user_id is not null and (
         (status in ('active', 'trialing', 'past_due', 'unpaid', 'paused') and (current_period_end is null or current_period_end <= ?)) or status = 'past_due'
         or (status = 'incomplete' and started_at < ?)) limit ?`,
      [now, dayAgo, limit],
    );
    return found.map((row) => row.user_id);
  }

  /** Stripe customers of deleted accounts whose terms have not ended. */
  async customersOfDeletedAccounts(em: EntityManager): Promise<string[]> {
    const found = await rows<{ id: string }>(
      em,
      `select distinct stripe_customer_id as id from user_subscriptions where user_id is null and stripe_customer_id is not null`,
    );
    return found.map((row) => row.id);
  }

  async forget(em: EntityManager, stripeCustomerId: string): Promise<void> {
    await changed(em, `delete from user_subscriptions where user_id is null and stripe_customer_id = ?`, [
      stripeCustomerId,
    ]);
  }
}
