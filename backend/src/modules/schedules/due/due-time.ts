import { DateTime, IANAZone } from 'luxon';

/** Format of a local time, as users choose it and as it is stored: YYYY-MM-DDTHH:mm. */
export const LOCAL_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/;

/** A local time in a time zone, as a user chose it. */
export interface LocalTime {
  /** YYYY-MM-DDTHH:mm */
  at: string;
  /** IANA name */
  timeZone: string;
  /** true: the second occurrence of a time that occurs twice when clocks go back. */
  later: boolean;
}

/** A clock change that skips a local time. */
export interface SkippedTime {
  /** First skipped local time, and the local time at which clocks continue, as H:mm. */
  from: string;
  to: string;
}

/** Meaning of a local time: an instant, or the clock change that skips it; null: the day does not exist. */
export type DueTime = { dueAt: Date; isDoubled: boolean } | { skipped: SkippedTime } | null;

const HOUR_MS = 3_600_000;
const FORMAT = "yyyy-MM-dd'T'HH:mm";

/** Converts a local time to an instant. @returns null for a day that does not exist, such as February 30 */
export function dueTimeOf({ at, timeZone, later }: LocalTime): DueTime {
  const time = DateTime.fromISO(at, { zone: timeZone });
  if (!time.isValid) return null;
  if (time.toFormat(FORMAT) !== at) return { skipped: jumpNear(time, timeZone) };
  const instants = time
    .getPossibleOffsets()
    .filter((one) => one.toFormat(FORMAT) === at)
    .map((one) => one.toMillis())
    .sort((a, b) => a - b);
  const [first = time.toMillis(), second = first] = instants;
  return { dueAt: new Date(later ? second : first), isDoubled: second !== first };
}

/** Finds the clock change that skips a time. Bisects the offsets, because luxon does not list transitions. */
function jumpNear(time: DateTime, timeZone: string): SkippedTime {
  const zone = IANAZone.create(timeZone);
  let [before, after] = [time.toMillis() - 25 * HOUR_MS, time.toMillis() + 25 * HOUR_MS];
  const [offsetBefore, offsetAfter] = [zone.offset(before), zone.offset(after)];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offset(middle) === offsetBefore) before = middle;
    else after = middle;
  }
  const jump = Math.round(after / 60_000) * 60_000;
  const local = (offset: number) =>
    DateTime.fromMillis(jump, { zone: 'utc' }).plus({ minutes: offset }).toFormat('H:mm');
  return { from: local(offsetBefore), to: local(offsetAfter) };
}

/** Formats as "9:00 AM". */
export const hourOf = (at: string): string => wall(at).toFormat('h:mm a');

/** Formats as "Mar 14". */
export const dayOf = (at: string): string => wall(at).toFormat('LLL d');

/**
 * Formats as "Tue, Dec 1 at 9:00 AM CST". The second occurrence of a time that occurs twice reads "Sun, Nov 1 at the
 * second 1:30 AM, EST".
 */
export function leavesAt(dueAt: Date, { at, timeZone, later }: LocalTime): string {
  const time = DateTime.fromJSDate(dueAt, { zone: timeZone }).setLocale('en-US');
  const due = dueTimeOf({ at, timeZone, later });
  const isSecond = later && due !== null && 'isDoubled' in due && due.isDoubled;
  return time.toFormat(isSecond ? "ccc, LLL d 'at the second' h:mm a, ZZZZ" : "ccc, LLL d 'at' h:mm a ZZZZ");
}

/** A local time without its zone, for formatting only. */
const wall = (at: string): DateTime => DateTime.fromISO(at, { zone: 'utc', locale: 'en-US' });

/** Version of the time zone data that this process uses to compute instants. */
export const ZONE_DATA = process.versions.tz ?? 'none';
