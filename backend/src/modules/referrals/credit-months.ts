import { DateTime } from 'luxon';
import type { CreditState } from './entities/referral-credit.entity.js';

/** A free month as the rules below see it. */
export interface CreditMonth {
  id: string;
  userId: string;
  state: CreditState;
  startsAt: Date | null;
  endsAt: Date | null;
  balanceTxnId: string | null;
  cents: number | null;
  /** Balance transactions made for it so far. */
  n: number;
  reason: string | null;
  earnedAt: Date;
}

/** A month that stands in the calendar. */
type Spanned = CreditMonth & { startsAt: Date; endsAt: Date };

const isSpanned = (month: CreditMonth): month is Spanned => month.state === 'scheduled' && month.startsAt !== null && month.endsAt !== null;
const latest = (...dates: Date[]): Date => new Date(Math.max(...dates.map(Number)));
const byEarned = (a: CreditMonth, b: CreditMonth): number => Number(a.earnedAt) - Number(b.earnedAt) || (a.id < b.id ? -1 : 1);
const byStart = (a: Spanned, b: Spanned): number => Number(a.startsAt) - Number(b.startsAt);

/** Calendar months later in UTC; a day that the month lacks becomes its last (31 January → 28 February). */
export const addMonths = (date: Date, months: number): Date => DateTime.fromJSDate(date, { zone: 'utc' }).plus({ months }).toJSDate();

/** Where a newly earned month goes: now, or after the last that is scheduled; the others stay. */
export function placed<M extends CreditMonth>(earned: M, others: readonly CreditMonth[], now: Date): M {
  return lay([earned], others.filter(isSpanned), now)[0]!;
}

/**
 * Lays every month that has not begun anew: the first at `notBefore` (a paid period's end) or now, the others behind it.
 * Months that have begun stay. @returns the months in `scheduled` state that were laid, in their order
 */
export function chained(months: readonly CreditMonth[], now: Date, notBefore: Date = now): CreditMonth[] {
  const open = months.filter((month) => month.state === 'scheduled');
  const hasBegun = (month: CreditMonth): month is Spanned => isSpanned(month) && month.startsAt <= now;
  return lay(open.filter((month) => !hasBegun(month)).sort(byEarned), open.filter(hasBegun), latest(now, notBefore));
}

/** The months behind a revoked one, moved up into its place; @returns those that moved */
export function movedUp(months: readonly CreditMonth[], revoked: CreditMonth, now: Date): CreditMonth[] {
  const { startsAt } = revoked;
  if (!startsAt) return [];
  const others = months.filter(isSpanned).filter((month) => month.id !== revoked.id);
  const behind = others.filter((month) => month.startsAt > startsAt).sort(byStart);
  return lay(behind, others.filter((month) => month.startsAt <= startsAt), latest(now, startsAt));
}

/** A scheduled month turned into money: its part-used span counts whole. */
export function asCredited(month: CreditMonth, balanceTxnId: string, cents: number): CreditMonth {
  return { ...month, state: 'credited', startsAt: null, endsAt: null, balanceTxnId, cents, n: month.n + 1 };
}

/** A credited month turned back into time; it has no span until `chained` lays it. */
export function asScheduled(month: CreditMonth): CreditMonth {
  return { ...month, state: 'scheduled', startsAt: null, endsAt: null, balanceTxnId: null, cents: null, n: month.n + 1 };
}

/** The oldest credited months that the balance no longer holds: invoices have used them up. */
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

/** Scheduled months that are not over. */
export const unexpired = (months: readonly CreditMonth[], now: Date): CreditMonth[] => months.filter(isSpanned).filter((month) => month.endsAt > now);

/** What `referralCreditsMonths` counts. */
export const monthsOpen = (months: readonly CreditMonth[], now: Date): number =>
  unexpired(months, now).length + months.filter((month) => month.state === 'credited').length;

/** Until when an unbroken run of months that covers `now` reaches; null where none runs. */
export function accessUntil(months: readonly CreditMonth[], now: Date): Date | null {
  return unexpired(months, now)
    .filter(isSpanned)
    .sort(byStart)
    .reduce<Date | null>((until, month) => (month.startsAt <= (until ?? now) ? latest(until ?? now, month.endsAt) : until), null);
}

/** Puts months one behind the other after the fixed ones, from a time on. */
function lay<M extends CreditMonth>(waiting: readonly M[], fixed: readonly Spanned[], from: Date): M[] {
  const { anchor, offset } = anchorOf([...fixed].sort(byStart), from);
  return waiting.map((month, i) => ({ ...month, startsAt: addMonths(anchor, offset + i), endsAt: addMonths(anchor, offset + i + 1) }));
}

/** Months of an unbroken chain are counted from its first day, or each short month would shorten all after it. */
function anchorOf(fixed: readonly Spanned[], from: Date): { anchor: Date; offset: number } {
  const last = fixed.at(-1);
  if (!last || last.endsAt < from) return { anchor: from, offset: 0 };
  let first = fixed.length - 1;
  while (first > 0 && Number(fixed[first - 1]!.endsAt) === Number(fixed[first]!.startsAt)) first -= 1;
  const [anchor, offset] = [fixed[first]!.startsAt, fixed.length - first];
  return Number(addMonths(anchor, offset)) === Number(last.endsAt) ? { anchor, offset } : { anchor: last.endsAt, offset: 0 };
}
