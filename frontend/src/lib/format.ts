import { format, formatDistanceStrict, formatDistanceToNow } from 'date-fns';

const whole = new Intl.NumberFormat('en-US');

/** '12,400'. Takes the numeric strings of the API as well. */
export const formatCount = (n: number | string) => whole.format(Number(n));

/** '12,400', or '10,000+' where counting stopped there. */
export const formatTotal = ({ total, isTotalCapped }: { total: number; isTotalCapped?: boolean }) => `${formatCount(total)}${isTotalCapped ? '+' : ''}`;

/** '$96', '$9.50', of cents. */
export const formatMoney = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: cents % 100 ? 2 : 0, maximumFractionDigits: 2 })}`;

/** '1 contact', '12,400 contacts'. */
export function plural(n: number | string, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${Number(n) === 1 ? one : many}`;
}

/** 'Jan 5, 2025'. */
export const formatDate = (iso: string) => format(new Date(iso), 'MMM d, yyyy');

/** 'Jan 5, 2025', of epoch seconds. */
export const formatEpoch = (seconds: number) => formatDate(new Date(seconds * 1000).toISOString());

/** 'Jan 5', of a day written 2025-01-05: the same day wherever it is read. */
export const formatDay = (date: string) => format(new Date(`${date}T12:00:00`), 'MMM d');

/** 'Jan 5, 2025, 3:04 PM'. */
export const formatDateTime = (iso: string) => format(new Date(iso), "MMM d, yyyy, h:mm a");

/** '3 minutes ago'. */
export const formatAgo = (iso: string) => formatDistanceToNow(new Date(iso), { addSuffix: true });

/** '12 seconds', '4 minutes'. */
export const formatDuration = (seconds: number) => formatDistanceStrict(0, Math.max(1, Math.round(seconds)) * 1000);

/** 'Ana Lima', or 'User' when nothing is known. */
export function fullName(person: { firstName?: string | null; lastName?: string | null } | null | undefined): string {
  return [person?.firstName, person?.lastName].filter(Boolean).join(' ') || 'User';
}

/** 'AL', or 'U' when nothing is known. */
export function initials(person: { firstName?: string | null; lastName?: string | null } | null | undefined): string {
  const letters = [person?.firstName, person?.lastName].map((name) => name?.trim().charAt(0).toUpperCase()).join('');
  return letters || 'U';
}
