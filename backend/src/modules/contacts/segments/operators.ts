import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { contains, startsWith } from '../../../shared/database/queries/keyset.js';
import { not, operator, type TermOperator } from './segment-terms.registry.js';

const HOURS_PER_DAY = 24;

/** Builds a SQL part around an expression; further parameters follow those of the expression. */
const extend = (expression: SqlPart, sql: (expression: string) => string, params: unknown[] = []): SqlPart => ({
  sql: sql(expression.sql),
  params: [...expression.params, ...params],
});

/** The SQL part of a column, which has no parameters. */
export const column = (sql: string): SqlPart => ({ sql, params: [] });

/** SQL condition: a time is within this number of past days, of 24 hours each. */
export const withinDays = (time: string, days: number): SqlPart => ({
  sql: `${time} >= now() - make_interval(hours => ?::int)`,
  params: [days * HOURS_PER_DAY],
});

/**
 * Case-insensitive comparisons of texts. A missing text counts as empty, so that 'is not' finds people without a value.
 * @param expression SQL of a text that may be null
 */
export function textOperators(expression: SqlPart): TermOperator[] {
  const lower = extend(expression, (text) => `lower(coalesce(${text}, '')) collate "C"`);
  const is = (value: string) => extend(lower, (text) => `${text} = lower(?::text)`, [value]);
  const isOneOf = (values: string[]) =>
    extend(lower, (text) => `${text} in (select lower(v) from unnest(?::text[]) v)`, [values]);
  return [
    operator('is', 'is', 'text', is),
    operator('isNot', 'is not', 'text', (value) => not(is(value))),
    operator('contains', 'contains', 'text', (value) =>
      extend(lower, (text) => `${text} like lower(?::text)`, [contains(value)]),
    ),
    operator('startsWith', 'starts with', 'text', (value) =>
      extend(lower, (text) => `${text} like lower(?::text)`, [startsWith(value)]),
    ),
    operator('isOneOf', 'is one of', 'texts', isOneOf),
    operator('isNoneOf', 'is none of', 'texts', (values) => not(isOneOf(values))),
    ...emptyOperators(extend(lower, (text) => `${text} = ''`)),
  ];
}

/**
 * Case-insensitive comparisons of a domain.
 * @param read converts a typed domain to its stored form
 */
export function domainOperators(expression: string, read: (value: string) => string): TermOperator[] {
  // The null check lets the column's index be used, and makes the result false instead of null for a missing value.
  const isOneOf = (values: string[]): SqlPart => ({
    sql: `${expression} is not null and ${expression} = any (?::text[])`,
    params: [values.map(read)],
  });
  return [
    operator('is', 'is', 'text', (value) => isOneOf([value])),
    operator('isNot', 'is not', 'text', (value) => not(isOneOf([value]))),
    operator('isOneOf', 'is one of', 'texts', isOneOf),
    operator('isNoneOf', 'is none of', 'texts', (values) => not(isOneOf(values))),
  ];
}

/**
 * Comparisons with an empty value.
 * @param isEmpty condition that is never null
 */
export const emptyOperators = (isEmpty: SqlPart): TermOperator[] => [
  operator('isEmpty', 'is empty', 'none', () => isEmpty),
  operator('isNotEmpty', 'is not empty', 'none', () => not(isEmpty)),
];

const COMPARED = [
  ['lt', '<'],
  ['lte', '<='],
  ['eq', '='],
  ['gte', '>='],
  ['gt', '>'],
] as const;
const NUMBER_WORDS = { lt: '<', lte: '≤', eq: '=', gte: '≥', gt: '>' };
const DATE_WORDS = { lt: 'is before', lte: 'is on or before', eq: 'is on', gte: 'is on or after', gt: 'is after' };

/**
 * Comparisons of numbers.
 * @param expression SQL of a numeric that may be null
 */
export function numberOperators(expression: SqlPart): TermOperator[] {
  return [
    ...COMPARED.map(([name, sign]) =>
      operator(name, NUMBER_WORDS[name], 'number', (value) =>
        extend(expression, (number) => `coalesce(${number} ${sign} ?::numeric, false)`, [value]),
      ),
    ),
    operator('between', 'is between', 'numbers', ([from, to]) =>
      extend(expression, (number) => `coalesce(${number} between ?::numeric and ?::numeric, false)`, [from, to]),
    ),
    ...emptyOperators(extend(expression, (number) => `${number} is null`)),
  ];
}

/** SQL of the account's date some days from now, as a YYYY-MM-DD text. Parameters: time zone, days. */
const DAY_FROM_NOW = `to_char((now() at time zone ?::text)::date + ?::int, 'YYYY-MM-DD')`;

/**
 * Comparisons of days. Days are compared as ISO texts, so that a stored value that is not a date cannot make a
 * statement fail.
 * @param expression SQL of a YYYY-MM-DD text with collation "C" that may be null
 */
export function dateOperators(expression: SqlPart): TermOperator[] {
  return [
    ...COMPARED.map(([name, sign]) =>
      operator(name, DATE_WORDS[name], 'date', (value) =>
        extend(expression, (day) => `coalesce(${day} ${sign} ?::text, false)`, [value]),
      ),
    ),
    operator('between', 'is between', 'dates', ([from, to]) =>
      extend(expression, (day) => `coalesce(${day} between ?::text and ?::text, false)`, [from, to]),
    ),
    operator('lastDays', 'is in the last … days', 'days', (days, { timeZone }) =>
      extend(expression, (day) => `coalesce(${day} between ${DAY_FROM_NOW} and ${DAY_FROM_NOW}, false)`, [
        timeZone,
        -days,
        timeZone,
        0,
      ]),
    ),
    operator('nextDays', 'is in the next … days', 'days', (days, { timeZone }) =>
      extend(expression, (day) => `coalesce(${day} between ${DAY_FROM_NOW} and ${DAY_FROM_NOW}, false)`, [
        timeZone,
        0,
        timeZone,
        days,
      ]),
    ),
    ...emptyOperators(extend(expression, (day) => `${day} is null`)),
  ];
}

/** Comparisons of a time that is never null, by its day in the account's time zone. */
export function timeOperators(time: string): TermOperator[] {
  return [
    ...COMPARED.map(([name, sign]) =>
      operator(name, DATE_WORDS[name], 'date', (value, { timeZone }) => ({
        sql: `(${time} at time zone ?::text)::date ${sign} ?::date`,
        params: [timeZone, value],
      })),
    ),
    operator('between', 'is between', 'dates', ([from, to], { timeZone }) => ({
      sql: `(${time} at time zone ?::text)::date between ?::date and ?::date`,
      params: [timeZone, from, to],
    })),
    operator('lastDays', 'is in the last … days', 'days', (days) => withinDays(time, days)),
  ];
}
