import { FILTER_LIMITS, type Terms } from '../filter';
import { type Group, isBuilderGroup, type Rule, ruleCount } from './tree';

const CHOOSE_VALUE = 'Choose a value';

const isWhole = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 1;

function pairFault(value: unknown, isGiven: (one: unknown) => boolean): string | undefined {
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!isGiven(from) || !isGiven(to)) return CHOOSE_VALUE;
  return (from as string) <= (to as string) ? undefined : 'The first value must not be greater than the second';
}

/**
 * Why a rule cannot be evaluated yet.
 * @returns undefined if the rule can be evaluated
 */
export function ruleFault({ field, operator, value }: Rule, terms: Terms): string | undefined {
  const term = terms.term(field);
  if (!term) return `The field "${terms.label(field)}" no longer exists`;
  const kind = terms.operator({ field, operator })?.value;
  const hasAll = (values: unknown): values is string[] => Array.isArray(values) && values.length > 0;
  const gone = (values: readonly string[]): string | undefined => {
    const missing = values.find((one) => !term.options.some((option) => option.value === one));
    return missing === undefined
      ? undefined
      : `The ${term.noun ?? 'option'} "${terms.valueLabel(field, missing)}" no longer exists`;
  };
  switch (kind) {
    case undefined:
      return 'Choose a comparison';
    case 'none':
      return undefined;
    case 'text':
    case 'date':
    case 'reference':
      return typeof value === 'string' && value.trim() ? undefined : CHOOSE_VALUE;
    case 'texts':
      return hasAll(value) ? undefined : CHOOSE_VALUE;
    case 'number':
      return typeof value === 'number' ? undefined : CHOOSE_VALUE;
    case 'numbers':
      return pairFault(value, (one) => typeof one === 'number');
    case 'dates':
      return pairFault(value, (one) => typeof one === 'string' && one !== '');
    case 'days':
    case 'count':
      return isWhole(value) ? undefined : CHOOSE_VALUE;
    case 'options':
      return hasAll(value) ? gone(value) : CHOOSE_VALUE;
    case 'listed': {
      const { values } = (value ?? {}) as { values?: unknown };
      return hasAll(values) ? gone(values) : CHOOSE_VALUE;
    }
  }
}

/** Whether every rule can be evaluated. */
export const isComplete = (group: Group, terms: Terms): boolean =>
  group.rules.length > 0 &&
  ruleCount(group) <= FILTER_LIMITS.rules &&
  group.rules.every((part) => (isBuilderGroup(part) ? isComplete(part, terms) : ruleFault(part, terms) === undefined));
