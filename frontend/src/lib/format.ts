import { formatDistanceStrict, formatDistanceToNow } from 'date-fns';
import { currentZone } from './zone';

const whole = new Intl.NumberFormat('en-US');

/** '12,400'. Accepts the API's numeric strings. */
export const formatCount = (n: number | string) => whole.format(Number(n));

/** '12K', for the axes of charts. */
export const formatShort = (n: number) => n.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** '12,400', or '10,000+' if counting stopped there. */
export const formatTotal = ({ total, isTotalCapped }: { total: number; isTotalCapped?: boolean }) =>
  `${formatCount(total)}${isTotalCapped ? '+' : ''}`;

/** '$96' or '$9.50', from cents. */
export const formatMoney = (cents: number) =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: cents % 100 ? 2 : 0, maximumFractionDigits: 2 })}`;

/** '1 contact', '12,400 contacts'. */
export function plural(n: number | string, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${Number(n) === 1 ? one : many}`;
}

let made: ReturnType<typeof makeFormats> | undefined;

function makeFormats(timeZone: string | undefined) {
  return {
    timeZone,
    date: new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric', year: 'numeric' }),
    dateTime: new Intl.DateTimeFormat('en-US', {
      timeZone,
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
    day: new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  };
}

/** The date formats for the time zone in which times are shown. Kept until that zone changes. */
function formats() {
  if (made?.timeZone !== currentZone() || !made) made = makeFormats(currentZone());
  return made;
}

/** 'America/New York'. */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ');

/** Today as a day such as 2025-01-05. */
export const dayNow = () => formats().day.format(new Date());

/** The day of a moment, such as 2025-01-05. */
export const dayOf = (iso: string) => formats().day.format(new Date(iso));

/** 'Jan 5, 2025'. */
export const formatDate = (iso: string) => formats().date.format(new Date(iso));

/** 'Jan 5, 2025', from epoch seconds. */
export const formatEpoch = (seconds: number) => formatDate(new Date(seconds * 1000).toISOString());

/** 'Jan 5', from a day such as 2025-01-05, independent of the time zone. */
export const formatDay = (date: string) =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** 'Jan 5, 2025, 3:04 PM EST'. */
export const formatDateTime = (iso: string) => formats().dateTime.format(new Date(iso)).replaceAll('\u202f', ' ');

/** '3 minutes ago'. */
export const formatAgo = (iso: string) => formatDistanceToNow(new Date(iso), { addSuffix: true });

/** '12 seconds', '4 minutes'. */
export const formatDuration = (seconds: number) => formatDistanceStrict(0, Math.max(1, Math.round(seconds)) * 1000);

/** 'Ana Lima'; 'User' if the name is unknown. */
export function fullName(person: { firstName?: string | null; lastName?: string | null } | null | undefined): string {
  return [person?.firstName, person?.lastName].filter(Boolean).join(' ') || 'User';
}

/** 'AL'; 'U' if the name is unknown. */
export function initials(person: { firstName?: string | null; lastName?: string | null } | null | undefined): string {
  const letters = [person?.firstName, person?.lastName].map((name) => name?.trim().charAt(0).toUpperCase()).join('');
  return letters || 'U';
}

/** Fields with a smaller limit show no count. */
const MIN_COUNTED_LIMIT = 100;
const NEAR_LIMIT_SHARE = 0.9;

/** The error or hint about a text's length: too long, or close to the limit. The text itself is never cut. */
export function lengthHint(length: number, max: number): { error?: string; hint?: string } {
  if (length > max) return { error: `Too long by ${plural(length - max, 'character')}: at most ${formatCount(max)}` };
  return max >= MIN_COUNTED_LIMIT && length > max * NEAR_LIMIT_SHARE
    ? { hint: `${plural(max - length, 'character')} left` }
    : {};
}

/** '10:42 AM' in the account's zone. */
export const clockTime = (iso: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: currentZone(), hour: 'numeric', minute: '2-digit' })
    .format(new Date(iso))
    .replaceAll('\u202f', ' ');
