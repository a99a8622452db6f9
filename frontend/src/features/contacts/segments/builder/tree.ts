import { add, generateID, move, remove, type RuleGroupType, type RuleType, update } from 'react-querybuilder';
import {
  combinatorOf,
  isGroup,
  FILTER_LIMITS,
  type Match,
  type Operator,
  type StoredFilter,
  type StoredRule,
  type Term,
} from '../filter';

/** A rule in the builder: with an id, and with the value in the form that its controls need. */
export type Rule = RuleType<string, string> & { id: string };
export interface Group extends RuleGroupType<Rule> {
  id: string;
  combinator: 'and' | 'or';
  rules: (Rule | Group)[];
}

/** Distinguishes groups from rules. */
export const isBuilderGroup = (part: Rule | Group): part is Group => 'rules' in part;

const EMPTY_VALUES: Record<Operator['value'], unknown> = {
  none: undefined,
  text: '',
  texts: [],
  number: null,
  numbers: [null, null],
  date: '',
  dates: ['', ''],
  days: 7,
  count: 1,
  options: [],
  listed: undefined,
  reference: '',
};

/** Initial value of a comparison's controls. */
export const emptyValue = (term: Term, { value }: Operator): unknown =>
  value === 'listed' ? { values: [], state: term.states[0]?.value ?? '' } : EMPTY_VALUES[value];

export const newRule = (term: Term): Rule => ({
  id: generateID(),
  field: term.field,
  operator: term.operators[0]!.name,
  value: emptyValue(term, term.operators[0]!),
});

export const newGroup = (rules: Group['rules'], match: Match = 'all'): Group => ({
  id: generateID(),
  ...combinatorOf(match),
  rules,
});

/** A stored filter, converted for the builder. */
export function fromStored({ combinator, not, rules }: StoredFilter): Group {
  return {
    id: generateID(),
    combinator,
    not: not ?? false,
    rules: rules.map((part) =>
      isGroup<StoredFilter>(part)
        ? fromStored(part)
        : { id: generateID(), field: part.field, operator: part.operator, value: part.value },
    ),
  };
}

/** The builder's filter, converted for the server. */
export function toStored({ combinator, not, rules }: Group): StoredFilter {
  return {
    combinator,
    ...(not && { not: true }),
    rules: rules.map((part): StoredRule | StoredFilter => {
      if (isBuilderGroup(part)) return toStored(part);
      const { field, operator, value } = part;
      const given: unknown = typeof value === 'string' ? value.trim() : value;
      return { field, operator, ...(given !== undefined && { value: given }) };
    }),
  };
}

export const depthOf = (group: Group): number =>
  1 + Math.max(0, ...group.rules.map((part) => (isBuilderGroup(part) ? depthOf(part) : 0)));
export const ruleCount = (group: Group): number =>
  group.rules.reduce((sum, part) => sum + (isBuilderGroup(part) ? ruleCount(part) : 1), 0);

export const addTo = (tree: Group, groupId: string, part: Rule | Group): Group => add(tree, part as Group, groupId);
export const removeFrom = (tree: Group, id: string): Group => remove(tree, id);
/** Changes field or comparison, which resets the value. */
export const changeRule = (
  tree: Group,
  id: string,
  change: Partial<Pick<Rule, 'field' | 'operator' | 'value'>>,
): Group => update(tree, change, id);
export function changeMatch(tree: Group, id: string, match: Match): Group {
  const { combinator, not } = combinatorOf(match);
  return update(update(tree, 'combinator', combinator, id), 'not', not, id);
}

/**
 * The tree with a part moved up or down by one position, also into and out of groups.
 * @returns undefined if the part cannot be moved that way
 */
export function moveRule(tree: Group, id: string, way: 'up' | 'down'): Group | undefined {
  const next = move(tree, id, way);
  return next !== tree && depthOf(next) <= FILTER_LIMITS.depth ? next : undefined;
}
