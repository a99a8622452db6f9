import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';

/** What billing knows about an account's paid plan. */
export interface PaidPlanFacts {
  stripeSubscriptionId: string | null;
  /** Status as Stripe reports it. */
  status: string | null;
  endDate: Date | null;
  /** Until when the plan grants Pro; null if it does not. */
  accessUntil: Date | null;
}

/** What billing knows about an account's free months. */
export interface FreeMonthFacts {
  from: Date | null;
  until: Date | null;
  /** End times of all scheduled months. */
  ends: Date[];
  /** Number of months that were converted to credit. */
  credited: number;
}

/** An account with its Stripe customer. */
export interface PayingUser {
  id: string;
  email: string;
  name: string;
  stripeCustomerId: string | null;
}

/** SQL version of the rule in entitlements.ts, for the cached tier. */
const GRANTED = `(coalesce(plan_access_until > ?, false) or (coalesce(referral_access_until > ?, false) and coalesce(referral_access_from <= ?, true)))`;

/**
 * Stores billing's decisions in the users row, from which entitlements are computed. Works in the caller's transaction.
 */
@Injectable()
export class BillingState {
  async payer(em: EntityManager, userId: string): Promise<PayingUser | null> {
    const [found] = await rows<PayingUser>(
      em,
      `select id, email, first_name || ' ' || last_name as name, stripe_customer_id as "stripeCustomerId" from users where id = ?`,
      [userId],
    );
    return found ?? null;
  }

  async ownerOf(em: EntityManager, stripeCustomerId: string): Promise<string | null> {
    return (
      (await rows<{ id: string }>(em, 'select id from users where stripe_customer_id = ?', [stripeCustomerId]))[0]
        ?.id ?? null
    );
  }

  async setCustomer(em: EntityManager, userId: string, stripeCustomerId: string): Promise<void> {
    await changed(em, 'update users set stripe_customer_id = ?, updated_at = now() where id = ?', [
      stripeCustomerId,
      userId,
    ]);
  }

  async writePlan(em: EntityManager, userId: string, facts: PaidPlanFacts, now: Date): Promise<void> {
    await changed(
      em,
      `update users set stripe_subscription_id = ?, subscription_status = ?, subscription_end_date = ?, plan_access_until = ?, updated_at = now() where id = ?`,
      [facts.stripeSubscriptionId, facts.status, facts.endDate, facts.accessUntil, userId],
    );
    await this.writeTier(em, userId, now);
  }

  async writeMonths(em: EntityManager, userId: string, facts: FreeMonthFacts, now: Date): Promise<void> {
    const open = facts.ends.filter((end) => end > now).length + facts.credited;
    await changed(
      em,
      `update users set referral_access_from = ?, referral_access_until = ?, referral_month_ends = ?::jsonb, referral_months_credited = ?,
         referral_credits_months = ?, updated_at = now() where id = ?`,
      [facts.from, facts.until, JSON.stringify(facts.ends), facts.credited, String(open), userId],
    );
    await this.writeTier(em, userId, now);
  }

  /** Corrects the cached tiers after plans have expired or free months have begun. */
  async refreshTiers(em: EntityManager, now: Date): Promise<void> {
    await changed(em, `update users set tier = 'free', updated_at = now() where tier = 'pro' and not (${GRANTED})`, [
      now,
      now,
      now,
    ]);
    await changed(
      em,
      `update users set tier = 'pro', updated_at = now() where tier = 'free' and referral_access_until is not null and ${GRANTED}`,
      [now, now, now],
    );
  }

  /** Updates the stored tier, which is a cache for display. Leaves a tier that was set manually. */
  private async writeTier(em: EntityManager, userId: string, now: Date): Promise<void> {
    await changed(
      em,
      `update users set tier = case when ${GRANTED} then 'pro' else 'free' end where id = ? and tier in ('free', 'pro')`,
      [now, now, now, userId],
    );
  }
}
