/** What entitlements are computed from: columns of the users row, which billing keeps up to date. */
export interface EntitlementFacts {
  tier: string;
  customDailyLimit: string | null;
  /** Until when the paid plan grants Pro, including leeway and the grace period; absent without a paid plan. */
  planAccessUntil?: Date | null;
  /** Stripe's status of the paid plan. */
  subscriptionStatus?: string | null;
  /** Start of the Pro access from earned referral months; the next field is its end. */
  referralAccessFrom?: Date | null;
  referralAccessUntil?: Date | null;
}

/** Where the current plan comes from. */
export type EntitlementSource = 'manual' | 'subscription' | 'grace' | 'referral' | 'none';

/** Whose sends count towards a daily limit: those of the account, or of all accounts with the same mailbox. */
export type LimitScope = 'account' | 'mailbox';

/** What an account may do now. */
export interface Entitlements {
  plan: string;
  source: EntitlementSource;
  /** End of the plan; null if it has no end. */
  until: Date | null;
  /** Sends per day; null: unlimited. */
  dailyLimit: number | null;
  /**
   * A custom limit applies to the account's own sends. The Free plan's limit is shared by all accounts with the same
   * mailbox.
   */
  limitScope: LimitScope;
}

/**
 * Decides what an account may do; no other function does. A stored tier other than `free` and `pro` was set manually
 * and applies as it is. `free` and `pro` are only a cache, so the plan is computed from the other facts and the time. A
 * custom daily limit, even 0, replaces the plan's limit; an invalid one is ignored.
 */
export function entitlements(facts: EntitlementFacts, now: Date, freeDailyLimit: number): Entitlements {
  const granted = grantOf(facts, now);
  const custom = facts.customDailyLimit?.match(/^\d+$/) ? Number(facts.customDailyLimit) : undefined;
  const isFree = granted.plan === 'free' && custom === undefined;
  return {
    ...granted,
    dailyLimit: custom ?? (isFree ? freeDailyLimit : null),
    limitScope: isFree ? 'mailbox' : 'account',
  };
}

function grantOf(facts: EntitlementFacts, now: Date): Omit<Entitlements, 'dailyLimit' | 'limitScope'> {
  const { tier, planAccessUntil, referralAccessFrom, referralAccessUntil, subscriptionStatus } = facts;
  if (tier !== 'free' && tier !== 'pro') return { plan: tier, source: 'manual', until: null };
  if (planAccessUntil && planAccessUntil > now) {
    return {
      plan: 'pro',
      source: subscriptionStatus === 'past_due' ? 'grace' : 'subscription',
      until: planAccessUntil,
    };
  }
  const begun = !referralAccessFrom || referralAccessFrom <= now;
  if (referralAccessUntil && begun && referralAccessUntil > now)
    return { plan: 'pro', source: 'referral', until: referralAccessUntil };
  return { plan: 'free', source: 'none', until: null };
}

/** Number of unused free months: scheduled months that have not ended yet, and months that were converted to credit. */
export function freeMonths(
  facts: { referralMonthEnds: readonly string[]; referralMonthsCredited: number },
  now: Date,
): number {
  return facts.referralMonthEnds.filter((end) => new Date(end) > now).length + facts.referralMonthsCredited;
}
