import { isUuid } from '../../../shared/text/formats.js';
import { MANY_LINES } from '../../../shared/text/one-line.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import { dateOf, numberOf } from '../fields/field-values.js';
import type { KindValues, SegmentTerm, ValueKind } from './segment-terms.registry.js';

/** Why a value is invalid. `gone` is a value for which there is no option, or no longer one. */
export interface ValueFault {
  message: string;
  gone?: string;
}

export type CheckedValue<K extends ValueKind = ValueKind> = { value: KindValues[K] } | ValueFault;

const MAX_VALUES = 200;
/** Maximum number of days, ten years. PostgreSQL's timestamps reach much farther. */
const MAX_DAYS = 3_660;
const MAX_COUNT = 1_000_000;
const CHOOSE = 'Choose a value';

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= CONTACT_LIMITS.textValue && MANY_LINES.test(text) && text.isWellFormed()
    ? text
    : undefined;
};

const wholeOf = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most ? value : undefined;

const exactNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? numberOf(value) : undefined;

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) return undefined;
  const texts = value.map((one) => (typeof one === 'number' ? String(one) : textOf(one)));
  return texts.every((one) => one !== undefined) ? [...new Set(texts)] : undefined;
}

function pairOf<T extends string | number>(
  value: unknown,
  read: (one: unknown) => T | undefined,
): [T, T] | ValueFault | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [from, to] = [read(value[0]), read(value[1])];
  if (from === undefined || to === undefined) return undefined;
  return from <= to ? [from, to] : { message: 'The first value must not be greater than the second' };
}

const checked = <K extends ValueKind>(value: KindValues[K] | ValueFault | undefined, message: string) =>
  (value === undefined
    ? { message }
    : typeof value === 'object' && 'message' in value
      ? value
      : { value }) as CheckedValue<K>;

function optionsOf(term: SegmentTerm, value: unknown): string[] | ValueFault | undefined {
  const texts = textsOf(value);
  const known = new Set(term.options?.map((option) => option.value));
  const gone = texts?.find((one) => !known.has(one));
  return gone === undefined ? texts : { message: `This ${term.noun ?? 'option'} does not exist`, gone };
}

/** Checks a rule's value. A reference is not looked up here; the caller does that. */
export function checkRuleValue(kind: ValueKind, term: SegmentTerm, value: unknown): CheckedValue {
  switch (kind) {
    case 'none':
      return value === undefined || value === null || value === ''
        ? { value: undefined }
        : { message: 'No value fits here' };
    case 'text':
      return checked<'text'>(
        textOf(value),
        value === '' || value === undefined ? CHOOSE : 'Enter a text of at most 1,000 characters',
      );
    case 'texts':
      return checked<'texts'>(textsOf(value), `Enter 1 to ${MAX_VALUES} values`);
    case 'number':
      return checked<'number'>(exactNumber(value), 'Enter a number of at most 15 digits');
    case 'numbers':
      return checked<'numbers'>(pairOf(value, exactNumber), 'Enter two numbers');
    case 'date':
      return checked<'date'>(dateOf(value), 'Choose a date');
    case 'dates':
      return checked<'dates'>(pairOf(value, dateOf), 'Choose two dates');
    case 'days':
      return checked<'days'>(wholeOf(value, MAX_DAYS), `Enter 1 to ${MAX_DAYS.toLocaleString('en-US')} days`);
    case 'count':
      return checked<'count'>(wholeOf(value, MAX_COUNT), 'Enter a whole number from 1');
    case 'options':
      return checked<'options'>(optionsOf(term, value), CHOOSE);
    case 'listed':
      return listedOf(term, value);
    case 'reference':
      return checked<'reference'>(typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined, CHOOSE);
  }
}

function listedOf(term: SegmentTerm, value: unknown): CheckedValue<'listed'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { message: CHOOSE };
  const { values, state, ...others } = value as { values?: unknown; state?: unknown };
  if (Object.keys(others).length > 0 || !term.states?.some((one) => one.value === state)) return { message: CHOOSE };
  const options = optionsOf(term, values);
  return options && !Array.isArray(options)
    ? options
    : checked<'listed'>(options && { values: options, state: state as string }, CHOOSE);
}
