import { formatDistanceStrict, formatDistanceToNow } from 'date-fns';

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

/** The zone that times are shown in; undefined: the browser's, as for people who are not signed in. */
let displayZone: string | undefined;
let formats = makeFormats();

function makeFormats() {
  const options = { timeZone: displayZone };
  return {
    date: new Intl.DateTimeFormat('en-US', { ...options, month: 'short', day: 'numeric', year: 'numeric' }),
    dateTime: new Intl.DateTimeFormat('en-US', { ...options, month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
    hour: new Intl.DateTimeFormat('en-US', { ...options, hour: 'numeric', hourCycle: 'h23' }),
  };
}

/** Shows all times in a zone from now on; one that this browser does not know counts as none. */
export function setDisplayZone(zone: string | undefined): void {
  if (zone === displayZone) return;
  displayZone = zone;
  try {
    formats = makeFormats();
  } catch {
    displayZone = undefined;
    formats = makeFormats();
  }
}

/** 'America/New York'. */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ');

/** The hour of the day, 0 to 23. */
export const hourNow = () => Number(formats.hour.format(new Date()));

/** 'Jan 5, 2025'. */
export const formatDate = (iso: string) => formats.date.format(new Date(iso));

/** 'Jan 5, 2025', of epoch seconds. */
export const formatEpoch = (seconds: number) => formatDate(new Date(seconds * 1000).toISOString());

/** 'Jan 5', of a day written 2025-01-05: the same day wherever it is read. */
export const formatDay = (date: string) => new Date(`${date}T12:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** 'Jan 5, 2025, 3:04 PM EST': the zone is named. */
export const formatDateTime = (iso: string) => formats.dateTime.format(new Date(iso)).replaceAll('\u202f', ' ');

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
