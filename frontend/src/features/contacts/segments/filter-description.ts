import { formatCount, formatDate } from '../../../lib/format';
import { isGroup, matchOf, type StoredFilter, type StoredRule, type Terms } from './filter';

const quoted = (text: string): string => `"${text}"`;
const day = (date: string): string => (/^\d{4}-\d\d-\d\d$/.test(date) ? formatDate(`${date}T12:00:00Z`) : date);

/** 'a, b or c'. */
function joinedList(words: readonly string[], word: 'or' | 'and'): string {
  return words.length < 2 ? (words[0] ?? '…') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
}

const MAX_VALUES_NAMED = 5;

function shortenedList(words: readonly string[], word: 'or' | 'and'): string {
  if (words.length <= MAX_VALUES_NAMED) return joinedList(words, word);
  return joinedList(
    [...words.slice(0, MAX_VALUES_NAMED - 1), `${formatCount(words.length - MAX_VALUES_NAMED + 1)} others`],
    word,
  );
}

/** Comparisons that also hold for people without a value. */
const INCLUDES_EMPTY = new Set(['isNot', 'isNoneOf']);

function valueWords({ field, operator, value }: StoredRule, terms: Terms): string {
  const kind = terms.operator({ field, operator })?.value;
  const label = (one: unknown): string => quoted(terms.valueLabel(field, String(one)));
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.trim() ? quoted(value.trim()) : '…';
    case 'texts':
      return shortenedList(
        (Array.isArray(value) ? value : []).map((one) => quoted(String(one))),
        'or',
      );
    case 'number':
      return typeof value === 'number' ? String(value) : '…';
    case 'numbers':
      return joinedList((Array.isArray(value) ? value : []).map(String), 'and');
    case 'date':
      return typeof value === 'string' && value ? day(value) : '…';
    case 'dates':
      return joinedList(
        (Array.isArray(value) ? value : []).map((one) => day(String(one))),
        'and',
      );
    case 'options':
      return shortenedList((Array.isArray(value) ? value : []).map(label), operator === 'allOf' ? 'and' : 'or');
    case 'listed': {
      const { values = [], state = '' } = (value ?? {}) as { values?: string[]; state?: string };
      return `${shortenedList(values.map(label), 'or')} (${terms.stateLabel(field, state)})`;
    }
    case 'reference':
      return typeof value === 'string' && value ? label(value) : '…';
    default:
      return '';
  }
}

function ruleWords(rule: StoredRule, terms: Terms): string {
  const comparison = terms.operator(rule)?.label ?? rule.operator;
  const label = terms.label(rule.field);
  const subject = comparison.startsWith(label.toLowerCase()) ? '' : label;
  const number = typeof rule.value === 'number' ? formatCount(rule.value) : '…';
  const words = comparison.includes('…') ? comparison.replace('…', number) : `${comparison} ${valueWords(rule, terms)}`;
  const hasEmpty =
    INCLUDES_EMPTY.has(rule.operator) && terms.term(rule.field)?.operators.some(({ name }) => name === 'isEmpty');
  return `${subject} ${words}${hasEmpty ? ' (or is empty)' : ''}`.trim().replace(/ {2,}/g, ' ');
}

function groupWords(group: StoredFilter, terms: Terms, isTop: boolean): string {
  const parts = group.rules.map((part) =>
    isGroup<StoredFilter>(part) ? groupWords(part, terms, false) : ruleWords(part, terms),
  );
  const match = matchOf(group);
  const joined = parts.join(match === 'all' ? ' and ' : ' or ') || '…';
  const whole = match === 'none' ? `not (${joined})` : joined;
  return isTop || (match !== 'none' && parts.length < 2) || match === 'none' ? whole : `(${whole})`;
}

/** A filter in words: 'Contacts where Tags has any of "Java" and Mailed not in the last 7 days.' */
export const describeFilter = (filter: StoredFilter, terms: Terms): string =>
  `Contacts where ${groupWords(filter, terms, true)}.`;
