/** A paid term as the rules see it: what Stripe says, and the plan that its price names. */
export interface PlanTerm {
  stripeSubscriptionId: string;
  /** Stripe's word; unknown ones grant nothing. */
  status: string;
  /** Null: the price is none of ours. */
  planId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  /** It ends with its period, unless that is taken back. */
  isEnding: boolean;
  canceledAt: Date | null;
  endedAt: Date | null;
  startedAt: Date;
}

const HOUR_MS = 3_600_000;
/** A renewal that is charged, but not yet told of. */
const LEEWAY_MS = 72 * HOUR_MS;
/** Failed renewals: Pro goes on while Stripe tries again. */
const GRACE_MS = 7 * 24 * HOUR_MS;

const RANK = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'];
const LIVE = new Set(RANK.slice(0, 5));

const rankOf = (status: string): number => (RANK.includes(status) ? RANK.indexOf(status) : RANK.length);

/** Whether the person has a plan, be it paid for or not. */
export const isLive = ({ status }: Pick<PlanTerm, 'status'>): boolean => LIVE.has(status);

/** The term that counts: the best status, of equals the newest. */
export function primaryOf<T extends Pick<PlanTerm, 'status' | 'startedAt'>>(terms: readonly T[]): T | null {
  return [...terms].sort((a, b) => rankOf(a.status) - rankOf(b.status) || Number(b.startedAt) - Number(a.startedAt))[0] ?? null;
}

/** Until when a term grants Pro; null: it does not. A failed renewal has moved the period already, so grace counts from its start. */
export function accessUntilOf(term: PlanTerm | null): Date | null {
  if (!term?.planId) return null;
  if (term.status === 'active' || term.status === 'trialing') return after(term.periodEnd, LEEWAY_MS);
  if (term.status === 'past_due') return after(term.periodStart, GRACE_MS);
  return null;
}

const after = (date: Date | null, ms: number): Date | null => date && new Date(Number(date) + ms);

/** Whether what is stored may have been overtaken: an open payment, or an end that has passed. */
export const isDoubtful = (term: PlanTerm, now: Date): boolean =>
  term.status === 'incomplete' || (isLive(term) && (term.status === 'past_due' || !term.periodEnd || term.periodEnd <= now));
