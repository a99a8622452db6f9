import { DateTime, Info } from 'luxon';
import type { LocalTime } from './local-time';

const WALL_TIME_FORMAT = "yyyy-MM-dd'T'HH:mm";
const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = 180 * 24 * 60 * MINUTE_MS;

/** Result of checking a chosen time: when the email leaves, as text, or why the time cannot be chosen. */
export type ChosenTime = { words: string; own: string | null; second: string | null } | { fault: string } | null;

/** The proposed local time: the next full hour in the zone that is at least an hour away. */
export const proposedTime = (timeZone: string, now = Date.now()): string =>
  DateTime.fromMillis(now, { zone: timeZone }).plus({ hours: 2 }).startOf('hour').toFormat(WALL_TIME_FORMAT);

/**
 * Describes when an email with this local time leaves. The server validates the time again.
 * @param ownZone the user's own zone
 */
export function chosenTime({ at, timeZone, later }: LocalTime, ownZone: string, now = Date.now()): ChosenTime {
  const time = DateTime.fromISO(at, { zone: timeZone }).setLocale('en-US');
  if (at === '' || !time.isValid) return null;
  const wall = DateTime.fromISO(at, { zone: 'utc' }).setLocale('en-US');
  if (time.toFormat(WALL_TIME_FORMAT) !== at)
    return { fault: `${wall.toFormat('h:mm a')} does not exist on ${wall.toFormat('LLL d')} in this time zone.` };
  const instants = time
    .getPossibleOffsets()
    .filter((one) => one.toFormat(WALL_TIME_FORMAT) === at)
    .sort((one, other) => one.toMillis() - other.toMillis());
  const [first = time, second = first] = instants;
  const isDoubled = second.toMillis() !== first.toMillis();
  const due = (later ? second : first).setLocale('en-US');
  if (due.toMillis() - now < MINUTE_MS) return { fault: 'Choose a time at least one minute from now.' };
  if (due.toMillis() - now > MAX_AHEAD_MS) return { fault: 'Choose a time within the next 180 days.' };
  const isSecond = later && isDoubled;
  return {
    words: `Leaves ${due.toFormat(isSecond ? "ccc, LLL d 'at the second' h:mm a, ZZZZ" : "ccc, LLL d 'at' h:mm a ZZZZ")}.`,
    own: ownTime(due, ownZone),
    second: isDoubled ? second.setLocale('en-US').toFormat('h:mm a, ZZZZ') : null,
  };
}

/**
 * The instant in the user's own zone, as text.
 * @returns null if the clock shows the same time there
 */
function ownTime(due: DateTime, ownZone: string): string | null {
  const own = due.setZone(ownZone);
  if (!own.isValid || own.offset === due.offset) return null;
  const isSameDay = own.toISODate() === due.toISODate();
  return `For you that is ${own.toFormat(isSameDay ? 'h:mm a ZZZZ' : "ccc, LLL d 'at' h:mm a ZZZZ")}.`;
}

/** A selectable time zone. */
export interface ZoneOption {
  id: string;
  /** 'Central Time (Chicago), 8:12 AM now' */
  label: string;
}

/** Zones of most users and vendors, which are listed first. */
const COMMON_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'Asia/Kolkata',
  'Europe/London',
];

const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

function nameOf(zone: string, now: number): string {
  const named = (timeZoneName: 'longGeneric' | 'long') =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value;
  const generic = named('longGeneric') ?? zone;
  // Zones such as UTC have no name that holds all year.
  return generic.startsWith('GMT') ? (named('long') ?? generic) : generic;
}

/** A zone with its name, its city and its current time. */
export const zoneOption = (id: string, now = Date.now()): ZoneOption => ({
  id,
  label: `${nameOf(id, now)} (${cityOf(id)}), ${DateTime.fromMillis(now, { zone: id }).setLocale('en-US').toFormat('h:mm a')} now`,
});

/** All zones: the given ones first, then COMMON_ZONES, then the others by name. */
export function zoneOptions(own: readonly string[], now = Date.now()): ZoneOption[] {
  const all = Intl.supportedValuesOf('timeZone');
  const ids = new Set([...own, ...COMMON_ZONES, ...all].filter((zone) => Info.isValidIANAZone(zone)));
  return [...ids].map((zone) => zoneOption(zone, now));
}
