const MS_A_DAY = 86_400_000;
/** Serial number of 9999-12-31 in Excel's 1900 date system. */
const LAST_SERIAL = 2_958_465;
/** Serial number of 29 February 1900, which Excel counts although it did not exist. */
const FALSE_LEAP_DAY = 60;

/**
 * The day of a serial number as YYYY-MM-DD.
 * @param uses1904 whether day 0 is 1904-01-01
 * @returns null outside the range that Excel shows as a date
 */
export function dateOfSerial(serial: number, uses1904: boolean): string | null {
  const day = Math.floor(serial);
  if (!(day >= (uses1904 ? 0 : 1)) || day > LAST_SERIAL || (!uses1904 && day === FALSE_LEAP_DAY)) return null;
  const first = uses1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < FALSE_LEAP_DAY ? 31 : 30);
  const date = new Date(first + day * MS_A_DAY);
  return date.getUTCFullYear() > 9999 ? null : date.toISOString().slice(0, 10);
}

/** Text of a serial number: a date, a date with time, or a time of day. @returns null outside the range of dates */
export function serialText(serial: number, uses1904: boolean): string | null {
  const minutes = Math.round((serial - Math.floor(serial)) * 1440);
  const time = `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
  if (serial >= 0 && serial < 1) return time;
  const date = dateOfSerial(serial + (minutes === 1440 ? 1 : 0), uses1904);
  return date === null || minutes % 1440 === 0 ? date : `${date} ${time}`;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** A number as Excel shows it: without an exponent, and without the rounding error of binary fractions. */
export function numberText(raw: string): string {
  if (/^-?\d{1,15}$/.test(raw)) return raw;
  const value = Number(raw);
  if (raw === '' || !Number.isFinite(value)) return raw;
  const rounded = Number(value.toPrecision(15));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21 ? BigInt(rounded).toString() : String(rounded);
}

/** Zero-based column of a cell reference such as AB12. @returns undefined if the text is no reference */
export function columnOf(reference: string): number | undefined {
  let column = 0;
  let at = 0;
  for (; at < reference.length && at < 4; at += 1) {
    const code = reference.charCodeAt(at) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column === 0 ? undefined : column - 1;
}

const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** Whether a number format shows a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);
  const bare = code
    .slice(0, 255)
    .replace(/"[^"]*"|\\.|\[[^[\]]*\]|_./g, '')
    .replace(/general/gi, '');
  return /[ymdhs]/i.test(bare);
}
