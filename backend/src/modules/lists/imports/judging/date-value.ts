import { dateOfSerial } from '../reading/xlsx/cell-text.js';

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/;
const SERIAL = /^\d{1,7}(?:\.\d+)?$/;
const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T,].*)?$/;
const SLASHED = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/;
const MONTH_FIRST = /^([a-z]{3,9}) (\d{1,2})(,?) (\d{4})$/;
const DAY_FIRST = /^(\d{1,2})([ -])([a-z]{3,9})\2(\d{4}|\d{2})$/;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MAX_DATE_LENGTH = 40;

/**
 * Converts a date to YYYY-MM-DD. In dates with slashes the month comes first, as in the USA, unless the first number
 * can only be a day; in dates with dots the day comes first.
 * @param uses1904 whether Excel's serial dates count from 1904; null: a bare number is not a date
 * @returns null for any text that is no date
 */
export function dateValue(given: string, uses1904: boolean | null): string | null {
  const text = given.trim();
  if (text === '' || text.length > MAX_DATE_LENGTH) return null;
  const iso = ISO.exec(text)?.[1];
  if (iso) return valid(iso);
  if (SERIAL.test(text)) return uses1904 === null ? null : dateOfSerial(Number(text), uses1904);
  const numbers = NUMBERS.exec(text);
  if (numbers) return fromNumbers(numbers);
  const slashed = SLASHED.exec(text);
  if (slashed) return day(Number(slashed[1]), Number(slashed[2]), Number(slashed[3]));
  return fromWords(text.toLowerCase());
}

function fromNumbers([, first, separator, second, year]: RegExpExecArray): string | null {
  const isDayFirst = separator === '.' || Number(first) > 12;
  const [month, date] = isDayFirst ? [second, first] : [first, second];
  return day(fullYear(year!, 49), Number(month), Number(date));
}

/** Parses `Nov 22, 2025`, `22 November 2025` and `22-Nov-25`. @returns null for any other text */
function fromWords(text: string): string | null {
  const [, name, date, comma, year] = MONTH_FIRST.exec(text) ?? [];
  if (name) return day(Number(year), monthOf(name, comma === ','), Number(date));
  const [, first, separator, word, last] = DAY_FIRST.exec(text) ?? [];
  if (!word || (separator === ' ' && last!.length === 2)) return null;
  return day(fullYear(last!, 60), monthOf(word, separator === ' '), Number(first));
}

/** Number of a month, from 1. @returns 0 for any other word */
function monthOf(word: string, mayBeLong: boolean): number {
  const place = MONTHS.findIndex((month) => word === month.slice(0, 3) || (mayBeLong && word === month));
  return place + 1;
}

/** Full year of a year with two or four digits. @param latest largest two-digit year that belongs to this century */
const fullYear = (year: string, latest: number): number =>
  year.length === 2 ? Number(year) + (Number(year) > latest ? 1900 : 2000) : Number(year);

/** The date as YYYY-MM-DD. @returns null for a day that does not exist */
function day(year: number, month: number, date: number): string | null {
  const iso = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  return valid(iso);
}

const valid = (iso: string): string | null => {
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
};
