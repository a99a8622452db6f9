import { DateTime } from 'luxon';
import type { CreditState } from './referrals.entities.js';

/** A month that a referrer earned, as the rules of this file need it. */
export interface CreditMonth {
  id: string;
  userId: string;
  state: CreditState;
  startsAt: Date | null;
  endsAt: Date | null;
  balanceTxnId: string | null;
  cents: number | null;
  /** Number of Stripe balance transactions made for the month. */
  n: number;
  reason: string | null;
  earnedAt: Date;
}

/** A month with a calendar span. */
type Spanned = CreditMonth & { startsAt: Date; endsAt: Date };

const isSpanned = (month: CreditMonth): month is Spanned =>
  month.state === 'scheduled' && month.startsAt !== null && month.endsAt !== null;
const latest = (...dates: Date[]): Date => new Date(Math.max(...dates.map(Number)));
const byEarned = (a: CreditMonth, b: CreditMonth): number =>
  Number(a.earnedAt) - Number(b.earnedAt) || (a.id < b.id ? -1 : 1);
const byStart = (a: Spanned, b: Spanned): number => Number(a.startsAt) - Number(b.startsAt);

/** Adds calendar months in UTC; a missing day becomes the month's last (31 January → 28 February). */
export const addMonths = (date: Date, months: number): Date =>
  DateTime.fromJSDate(date, { zone: 'utc' }).plus({ months }).toJSDate();

/** Schedules a newly earned month: it begins now, or after the last scheduled one. The other months stay. */
export function appendMonth<M extends CreditMonth>(earned: M, others: readonly CreditMonth[], now: Date): M {
  return scheduleAfter([earned], others.filter(isSpanned), now)[0]!;
}

/**
 * Reschedules all months that have not begun: the first at `notBefore` (the end of a paid period) or now, the others
 * after it. Begun months stay.
 * @returns the rescheduled months in order
 */
export function rescheduleOpen(months: readonly CreditMonth[], now: Date, notBefore: Date = now): CreditMonth[] {
  const open = months.filter((month) => month.state === 'scheduled');
  const hasBegun = (month: CreditMonth): month is Spanned => isSpanned(month) && month.startsAt <= now;
  return scheduleAfter(
    open.filter((month) => !hasBegun(month)).sort(byEarned),
    open.filter(hasBegun),
    latest(now, notBefore),
  );
}

/** Moves the months after a revoked month forward, so that no gap remains. @returns the moved months */
export function closeGap(months: readonly CreditMonth[], revoked: CreditMonth, now: Date): CreditMonth[] {
  const { startsAt } = revoked;
  if (!startsAt) return [];
  const others = months.filter(isSpanned).filter((month) => month.id !== revoked.id);
  const behind = others.filter((month) => month.startsAt > startsAt).sort(byStart);
  return scheduleAfter(
    behind,
    others.filter((month) => month.startsAt <= startsAt),
    latest(now, startsAt),
  );
}

/** Converts a scheduled month to credit; a partly used month is credited in full. */
export function asCredited(month: CreditMonth, balanceTxnId: string, cents: number): CreditMonth {
  return { ...month, state: 'credited', startsAt: null, endsAt: null, balanceTxnId, cents, n: month.n + 1 };
}

/** Converts a credited month back to Pro time, without a span until `rescheduleOpen` schedules it. */
export function asScheduled(month: CreditMonth): CreditMonth {
  return {
    ...month,
    state: 'scheduled',
    startsAt: null,
    endsAt: null,
    balanceTxnId: null,
    cents: null,
    n: month.n + 1,
  };
}

/** The oldest credited months that the balance no longer covers, because invoices have consumed them. */
export function consumedBy(months: readonly CreditMonth[], centsLeft: number): CreditMonth[] {
  const credited = months.filter((month) => month.state === 'credited').sort(byEarned);
  let open = credited.reduce((sum, month) => sum + (month.cents ?? 0), 0);
  return credited.flatMap((month) => {
    if (open <= Math.max(0, centsLeft)) return [];
    open -= month.cents ?? 0;
    return [{ ...month, state: 'consumed' as const }];
  });
}

/** Idempotency key of a month's next balance transaction at Stripe. */
export const balanceKey = ({ id, n }: Pick<CreditMonth, 'id' | 'n'>): string => `refcredit:${id}:${n}`;

/** Scheduled months that have not ended. */
export const unexpired = (months: readonly CreditMonth[], now: Date): CreditMonth[] =>
  months.filter(isSpanned).filter((month) => month.endsAt > now);

/** Number of months shown as `referralCreditsMonths`. */
export const monthsOpen = (months: readonly CreditMonth[], now: Date): number =>
  unexpired(months, now).length + months.filter((month) => month.state === 'credited').length;

/** End of the unbroken run of months that covers `now`. @returns null if no month is running */
export function accessUntil(months: readonly CreditMonth[], now: Date): Date | null {
  return unexpired(months, now)
    .filter(isSpanned)
    .sort(byStart)
    .reduce<Date | null>(
      (until, month) => (month.startsAt <= (until ?? now) ? latest(until ?? now, month.endsAt) : until),
      null,
    );
}

/** Schedules months one after another, after the fixed months and not before `from`. */
function scheduleAfter<M extends CreditMonth>(waiting: readonly M[], fixed: readonly Spanned[], from: Date): M[] {
  const { anchor, offset } = anchorOf([...fixed].sort(byStart), from);
  return waiting.map((month, i) => ({
    ...month,
    startsAt: addMonths(anchor, offset + i),
    endsAt: addMonths(anchor, offset + i + 1),
  }));
}

/**
 * Start of the unbroken chain at the end of the fixed months, and its length in months. All months of a chain are
 * counted from its first day; otherwise each short month would shorten all later ones.
 */
function anchorOf(fixed: readonly Spanned[], from: Date): { anchor: Date; offset: number } {
  const last = fixed.at(-1);
  if (!last || last.endsAt < from) return { anchor: from, offset: 0 };
  let first = fixed.length - 1;
  while (first > 0 && Number(fixed[first - 1]!.endsAt) === Number(fixed[first]!.startsAt)) first -= 1;
  const [anchor, offset] = [fixed[first]!.startsAt, fixed.length - first];
  return Number(addMonths(anchor, offset)) === Number(last.endsAt)
    ? { anchor, offset }
    : { anchor: last.endsAt, offset: 0 };
}
