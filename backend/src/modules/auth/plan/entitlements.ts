/** Inputs of the decision: columns of the users row, which billing keeps up to date. */
export interface EntitlementFacts {
  tier: string;
  customDailyLimit: string | null;
  /** Until when the paid plan grants Pro, including leeway and grace. */
  planAccessUntil?: Date | null;
  /** Stripe's status of the paid plan. */
  subscriptionStatus?: string | null;
  /** Start and end of Pro from earned referral months. */
  referralAccessFrom?: Date | null;
  referralAccessUntil?: Date | null;
}

/** Why a plan is in force. */
export type EntitlementSource = 'manual' | 'subscription' | 'grace' | 'referral' | 'none';

/** Whose sends count against a daily limit. */
export type LimitScope = 'account' | 'mailbox';

/** What an account may do now. */
export interface Entitlements {
  plan: string;
  source: EntitlementSource;
  /** End of the plan; null: none. */
  until: Date | null;
  /** Sends per day; null: unlimited. */
  dailyLimit: number | null;
  /** A custom limit counts the account's own sends; the Free plan's limit is shared by all accounts of a mailbox. */
  limitScope: LimitScope;
}

/**
 * The only function that decides what an account may do. The stored tier is a cache: unless set manually, facts and
 * clock decide. A custom daily limit overrides everything, also when it is 0; an invalid one is ignored.
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

/** Number of unused free months: scheduled ones that have not ended, and credited ones. */
export function freeMonths(
  facts: { referralMonthEnds: readonly string[]; referralMonthsCredited: number },
  now: Date,
): number {
  return facts.referralMonthEnds.filter((end) => new Date(end) > now).length + facts.referralMonthsCredited;
}
