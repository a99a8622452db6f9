import type { FieldError } from '../../../shared/errors/app-error.js';

/** One comparison. */
export interface SegmentRule {
  field: string;
  operator: string;
  value?: unknown;
}

/** A group of rules and groups: all of them must hold, or any of them; `not` negates the group. */
export interface SegmentFilter {
  combinator: 'and' | 'or';
  not?: boolean;
  rules: (SegmentRule | SegmentFilter)[];
}

export const FILTER_LIMITS = { depth: 3, rules: 50, bytes: 32 * 1024, nameLength: 100 } as const;

export const isGroup = (part: SegmentRule | SegmentFilter): part is SegmentFilter => 'rules' in part;

const GROUP_KEYS = new Set(['combinator', 'not', 'rules']);
const RULE_KEYS = new Set(['field', 'operator', 'value']);

type Shape = { filter: SegmentFilter } | { faults: FieldError[] };

/** Checks a filter's structure and limits, but not the meaning of its rules. Paths begin with `filter`. */
export function readFilter(given: unknown): Shape {
  const faults: FieldError[] = [];
  let count = 0;
  const fault = (field: string, message: string): void => void faults.push({ field, message });

  const unknownKeys = (part: object, allowed: ReadonlySet<string>, path: string): void => {
    for (const key of Object.keys(part))
      if (!allowed.has(key)) fault(`${path}.${key.slice(0, 60)}`, `Unknown field: ${key.slice(0, 60)}`);
  };

  const rule = (part: object, path: string): SegmentRule => {
    unknownKeys(part, RULE_KEYS, path);
    const { field, operator, value } = part as Partial<SegmentRule>;
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && name.length <= FILTER_LIMITS.nameLength;
    if (!isName(field)) fault(`${path}.field`, 'Choose a field');
    if (!isName(operator)) fault(`${path}.operator`, 'Choose a comparison');
    count += 1;
    return { field: field!, operator: operator!, ...(value !== undefined && value !== null && { value }) };
  };

  const group = (part: object, path: string, depth: number): SegmentFilter => {
    unknownKeys(part, GROUP_KEYS, path);
    const { combinator, not, rules } = part as Partial<SegmentFilter>;
    if (combinator !== 'and' && combinator !== 'or') fault(`${path}.combinator`, 'combinator must be and, or');
    if (not !== undefined && typeof not !== 'boolean') fault(`${path}.not`, 'not must be true or false');
    const read: (SegmentRule | SegmentFilter)[] = [];
    if (!Array.isArray(rules)) fault(`${path}.rules`, 'rules must be a list');
    else if (rules.length === 0) fault(`${path}.rules`, 'Add a rule');
    else if (depth > FILTER_LIMITS.depth) fault(path, `Groups can be ${FILTER_LIMITS.depth} levels deep`);
    else
      for (const [at, one] of rules.slice(0, FILTER_LIMITS.rules + 1).entries()) {
        const place = `${path}.rules.${at}`;
        if (typeof one !== 'object' || one === null || Array.isArray(one)) fault(place, 'A rule must be an object');
        else read.push('rules' in one ? group(one, place, depth + 1) : rule(one, place));
      }
    if (Array.isArray(rules) && rules.length > FILTER_LIMITS.rules) count += rules.length;
    return { combinator: combinator!, ...(not && { not: true }), rules: read };
  };

  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { faults: [{ field: 'filter', message: 'Add a rule' }] };
  if (Buffer.byteLength(JSON.stringify(given)) > FILTER_LIMITS.bytes)
    return { faults: [{ field: 'filter', message: 'A filter can be 32 KB long' }] };
  const filter = group(given, 'filter', 1);
  if (count > FILTER_LIMITS.rules) fault('filter', `A filter can have ${FILTER_LIMITS.rules} rules`);
  return faults.length > 0 ? { faults } : { filter };
}
