import { invalid } from '../../../shared/errors/app-error.js';
import { MANY_LINES } from '../../../shared/text/one-line.js';
import { type FieldType, CONTACT_LIMITS } from '../contacts.constants.js';

/** The parts of a field that are needed to check its values. */
export interface FieldDefinition {
  key: string;
  label: string;
  type: FieldType;
  options: readonly string[];
}

/** A value in its stored form: a date is YYYY-MM-DD, choices are an array. */
export type FieldValue = string | number | boolean | string[];

const DECIMAL = /^-?(\d+)(?:\.(\d+))?$/;
const MAX_DIGITS = 15;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Reads a value as a number.
 * @returns undefined if it is not a number, or has more than 15 digits, which a JSON number cannot represent exactly
 */
export function numberOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const [, whole = '', part = ''] = DECIMAL.exec(text) ?? [];
  return whole !== '' && whole.length + part.length <= MAX_DIGITS ? Number(text) : undefined;
}

/**
 * Reads a value as a day, YYYY-MM-DD.
 * @returns undefined if it is not a day
 */
export function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ISO_DATE.test(value) || value.startsWith('0000')) return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined;
}

function urlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > CONTACT_LIMITS.urlValue || /[\s\p{Cc}]/u.test(value))
    return undefined;
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === ''
    ? value
    : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value.length <= CONTACT_LIMITS.textValue &&
  MANY_LINES.test(value) &&
  value.isWellFormed()
    ? value.trim()
    : undefined;

function choicesOf(value: unknown, options: readonly string[]): string[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string' && options.includes(one)))
    return undefined;
  return [...new Set(value as string[])];
}

const READ: Record<FieldType, (value: unknown, options: readonly string[]) => FieldValue | undefined> = {
  text: textOf,
  number: numberOf,
  date: dateOf,
  yes_no: (value) => (typeof value === 'boolean' ? value : undefined),
  choice: (value, options) => (typeof value === 'string' && options.includes(value) ? value : undefined),
  choices: choicesOf,
  url: urlOf,
};

const NEEDS: Record<FieldType, string> = {
  text: `must be text of at most ${CONTACT_LIMITS.textValue} characters`,
  number: `must be a number of at most ${MAX_DIGITS} digits`,
  date: 'must be a date, such as 2026-11-23',
  yes_no: 'must be yes or no',
  choice: 'must be one of its options',
  choices: 'must be some of its options',
  url: 'must be an https address',
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Converts one value to its stored form.
 * @returns null for an empty value, which clears the field
 * @throws 400 with the field's label
 */
export function readFieldValue(definition: FieldDefinition, value: unknown): FieldValue | null {
  if (isEmpty(value)) return null;
  const read = READ[definition.type](value, definition.options);
  if (read === undefined) throw invalid(`fields.${definition.key}`, `${definition.label} ${NEEDS[definition.type]}`);
  return isEmpty(read) ? null : read;
}

/**
 * Checks the values of a request.
 * @returns the values in their stored form, by key; null clears a field
 * @throws 400 for anything other than an object of known keys
 */
export function readFieldValues(
  definitions: readonly FieldDefinition[],
  given: unknown,
): Map<string, FieldValue | null> {
  if (given === undefined || given === null) return new Map();
  if (typeof given !== 'object' || Array.isArray(given)) throw invalid('fields', 'fields must be an object');
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  return new Map(
    Object.entries(given).map(([key, value]) => {
      const definition = byKey.get(key);
      if (!definition) throw invalid(`fields.${key.slice(0, 60)}`, `Unknown field: ${key.slice(0, 60)}`);
      return [key, readFieldValue(definition, value)];
    }),
  );
}
