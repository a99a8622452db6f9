/** What the answer depends on: columns of the users row. */
export interface EntitlementFacts {
  tier: string;
  customDailyLimit: string | null;
  /** Until when earned referral months grant Pro. */
  referralAccessUntil?: Date | null;
}

/** What an account may do now. */
export interface Entitlements {
  plan: string;
  /** Sends a day; null: no limit. */
  dailyLimit: number | null;
}

/**
 * The one function that decides what an account may do (decisions.md D10). A custom daily limit stands above
 * everything, 0 included; a malformed one counts as none.
 */
export function entitlements(facts: EntitlementFacts, now: Date, freeDailyLimit: number): Entitlements {
  const plan = facts.tier === 'free' && isRunning(facts.referralAccessUntil, now) ? 'pro' : facts.tier;
  const custom = facts.customDailyLimit?.match(/^\d+$/) ? Number(facts.customDailyLimit) : undefined;
  return { plan, dailyLimit: custom ?? (plan === 'free' ? freeDailyLimit : null) };
}

const isRunning = (until: Date | null | undefined, now: Date): boolean => !!until && until > now;
