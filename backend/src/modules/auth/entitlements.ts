/** What the answer depends on: columns of the users row. Billing mirrors plans and referral months onto them. */
export interface EntitlementFacts {
  tier: string;
  customDailyLimit: string | null;
  /** Until when the paid plan grants Pro, leeway and grace included. */
  planAccessUntil?: Date | null;
  /** Stripe's word for the state of the paid plan. */
  subscriptionStatus?: string | null;
  /** From when, and until when, earned referral months grant Pro. */
  referralAccessFrom?: Date | null;
  referralAccessUntil?: Date | null;
}

/** Where a plan in force comes from. */
export type EntitlementSource = 'manual' | 'subscription' | 'grace' | 'referral' | 'none';

/** Whose sends a daily limit counts. */
export type LimitScope = 'account' | 'mailbox';

/** What an account may do now. */
export interface Entitlements {
  plan: string;
  source: EntitlementSource;
  /** When that ends; null: it does not. */
  until: Date | null;
  /** Sends a day; null: no limit. */
  dailyLimit: number | null;
  /** Whose sends count against it: a limit granted to an account is its own; that of Free is one for all accounts of a mailbox. */
  limitScope: LimitScope;
}

/**
 * The one function that decides what an account may do (decisions.md D10, guide/billing.md §5). The stored tier is a
 * cache: unless it was set by hand, the facts and the clock decide. A custom daily limit stands above everything, 0
 * included; a malformed one counts as none.
 */
export function entitlements(facts: EntitlementFacts, now: Date, freeDailyLimit: number): Entitlements {
  const granted = grantOf(facts, now);
  const custom = facts.customDailyLimit?.match(/^\d+$/) ? Number(facts.customDailyLimit) : undefined;
  const isFree = granted.plan === 'free' && custom === undefined;
  return { ...granted, dailyLimit: custom ?? (isFree ? freeDailyLimit : null), limitScope: isFree ? 'mailbox' : 'account' };
}

function grantOf(facts: EntitlementFacts, now: Date): Omit<Entitlements, 'dailyLimit' | 'limitScope'> {
  const { tier, planAccessUntil, referralAccessFrom, referralAccessUntil, subscriptionStatus } = facts;
  if (tier !== 'free' && tier !== 'pro') return { plan: tier, source: 'manual', until: null };
  if (planAccessUntil && planAccessUntil > now) {
    return { plan: 'pro', source: subscriptionStatus === 'past_due' ? 'grace' : 'subscription', until: planAccessUntil };
  }
  const begun = !referralAccessFrom || referralAccessFrom <= now;
  if (referralAccessUntil && begun && referralAccessUntil > now) return { plan: 'pro', source: 'referral', until: referralAccessUntil };
  return { plan: 'free', source: 'none', until: null };
}

/** The free months that an account has left: those scheduled and not over, and those that wait as credit. */
export function freeMonths(facts: { referralMonthEnds: readonly string[]; referralMonthsCredited: number }, now: Date): number {
  return facts.referralMonthEnds.filter((end) => new Date(end) > now).length + facts.referralMonthsCredited;
}
