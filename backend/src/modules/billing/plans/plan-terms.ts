/** A paid term: Stripe's state and the plan of its price. */
export interface PlanTerm {
  stripeSubscriptionId: string;
  /** Stripe's status. An unknown status grants nothing. */
  status: string;
  /** Null for an unknown price. */
  planId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  /** Whether the term ends with its period. */
  isEnding: boolean;
  canceledAt: Date | null;
  endedAt: Date | null;
  startedAt: Date;
}

const HOUR_MS = 3_600_000;
/** How long access lasts past the period's end, so that no access is lost before the event of a renewal arrives. */
const LEEWAY_MS = 72 * HOUR_MS;
/** How long access lasts after a failed renewal, while Stripe retries the payment. */
const GRACE_MS = 7 * 24 * HOUR_MS;

const RANK = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'];
const LIVE_STATUSES = new Set(RANK.slice(0, 5));

const rankOf = (status: string): number => (RANK.includes(status) ? RANK.indexOf(status) : RANK.length);

/** Whether the term is in force, paid or not. */
export const isLive = ({ status }: Pick<PlanTerm, 'status'>): boolean => LIVE_STATUSES.has(status);

/** The term that decides about the plan: the one with the best status; of several with that status, the newest. */
export function primaryOf<T extends Pick<PlanTerm, 'status' | 'startedAt'>>(terms: readonly T[]): T | null {
  return (
    [...terms].sort((a, b) => rankOf(a.status) - rankOf(b.status) || Number(b.startedAt) - Number(a.startedAt))[0] ??
    null
  );
}

/**
 * When a term's access to Pro ends. A failed renewal has already advanced the period, so grace counts from the period's
 * start.
 * @returns null if the term grants no access
 */
export function accessUntilOf(term: PlanTerm | null): Date | null {
  if (!term?.planId) return null;
  if (term.status === 'active' || term.status === 'trialing') return after(term.periodEnd, LEEWAY_MS);
  if (term.status === 'past_due') return after(term.periodStart, GRACE_MS);
  return null;
}

const after = (date: Date | null, ms: number): Date | null => date && new Date(Number(date) + ms);

/** Whether stored state may be outdated: a payment is pending or has failed, or the period has ended. */
export const mayBeOutdated = (term: PlanTerm, now: Date): boolean =>
  term.status === 'incomplete' ||
  (isLive(term) && (term.status === 'past_due' || !term.periodEnd || term.periodEnd <= now));
