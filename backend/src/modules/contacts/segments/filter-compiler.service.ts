import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { FieldError } from '../../../shared/errors/app-error.js';
import { Accounts } from '../../auth/index.js';
import { type Bound, opposite } from '../activity/recent-activity.registry.js';
import { isGroup, readFilter, type SegmentFilter, type SegmentRule } from './segment-filter.js';
import { type KindValues, type SegmentTerm, SegmentTerms, type TermContext } from './segment-terms.registry.js';
import { checkRuleValue, type ValueFault } from './value-kinds.js';

/**
 * Context of an evaluation: how people are treated for whom a rule's answer is not known yet (by default they are not
 * found), and the send for which the filter is evaluated.
 */
export type FilterUse = Partial<Pick<TermContext, 'bound' | 'sendId'>>;

/** A filter that can be evaluated. */
export interface CompiledFilter {
  /** SQL condition on the profile `p`: true or false, never null. It does not restrict the owner; the caller does. */
  condition: SqlPart;
  /** The filter in its stored form, with validated values. */
  filter: SegmentFilter;
  /** Labels of the fields and values that the filter names, keyed by `labelKey()`. */
  labels: Record<string, string>;
}

/** A rule that cannot be evaluated. */
export interface FilterProblem extends FieldError {
  /** The field, or the value of a field, that no longer exists. */
  gone?: { field: string; value?: string; noun: string };
}

/** Key of a field, or of a field's value, among a segment's labels. */
export const labelKey = (field: string, value?: string): string => (value === undefined ? field : `${field}:${value}`);

const MAX_PROBLEMS = 20;

/**
 * Turns a filter into SQL. Each term has its own SQL and takes values only as parameters. Fields and options must be
 * among those of the account, so no text of a filter becomes part of a statement.
 */
@Injectable()
export class FilterCompiler {
  constructor(
    private readonly terms: SegmentTerms,
    private readonly accounts: Accounts,
  ) {}

  /** @returns the compiled filter, or all rules that cannot be evaluated */
  async compile(
    ownerId: string,
    given: unknown,
    em: EntityManager,
    use: FilterUse = {},
  ): Promise<CompiledFilter | { problems: FilterProblem[] }> {
    return (await this.forAccount(ownerId, em, use)).compile(given);
  }

  /** A compiler with the terms of one account, for compiling many filters. */
  async forAccount(ownerId: string, em: EntityManager, use: FilterUse = {}) {
    const account = await this.accounts.byId(ownerId, em);
    const context: TermContext = { ownerId, em, timeZone: account?.timeZone ?? 'UTC', bound: 'lower', ...use };
    const terms = new Map((await this.terms.of(ownerId, em)).map((term) => [term.field, term]));
    const compile = (given: unknown) => compiled(given, terms, context);
    const check = async (given: unknown): Promise<FilterProblem[]> => {
      const result = await compile(given);
      return 'problems' in result ? result.problems : [];
    };
    return { compile, check };
  }
}

async function compiled(
  given: unknown,
  terms: ReadonlyMap<string, SegmentTerm>,
  context: TermContext,
): Promise<CompiledFilter | { problems: FilterProblem[] }> {
  const shape = readFilter(given);
  if ('faults' in shape) return { problems: shape.faults.slice(0, MAX_PROBLEMS) };
  const run = new Compilation(terms, context);
  const { part, condition } = await run.group(shape.filter, 'filter', context.bound);
  if (run.problems.length > 0) return { problems: run.problems.slice(0, MAX_PROBLEMS) };
  return { condition, filter: part as SegmentFilter, labels: run.labels };
}

interface Compiled {
  part: SegmentRule | SegmentFilter;
  condition: SqlPart;
}

const NOTHING: SqlPart = { sql: 'false', params: [] };

/** The state of compiling one filter. */
class Compilation {
  readonly problems: FilterProblem[] = [];
  readonly labels: Record<string, string> = {};

  constructor(
    private readonly terms: ReadonlyMap<string, SegmentTerm>,
    private readonly context: TermContext,
  ) {}

  async group(group: SegmentFilter, path: string, bound: Bound): Promise<Compiled> {
    const inside = group.not ? opposite(bound) : bound;
    const parts: Compiled[] = [];
    for (const [at, part] of group.rules.entries()) {
      const place = `${path}.rules.${at}`;
      parts.push(isGroup(part) ? await this.group(part, place, inside) : await this.rule(part, place, inside));
    }
    const inner = parts
      .map(({ condition }) => `(${condition.sql})`)
      .join(group.combinator === 'and' ? ' and ' : ' or ');
    return {
      part: { ...group, rules: parts.map(({ part }) => part) },
      condition: {
        sql: group.not ? `not (${inner})` : inner,
        params: parts.flatMap(({ condition }) => condition.params),
      },
    };
  }

  private async rule(rule: SegmentRule, path: string, bound: Bound): Promise<Compiled> {
    const term = this.terms.get(rule.field);
    if (!term)
      return this.bad(rule, {
        field: `${path}.field`,
        message: 'This field does not exist',
        gone: { field: rule.field, noun: 'field' },
      });
    const operator = term.operators.find(({ name }) => name === rule.operator);
    if (!operator) return this.bad(rule, { field: `${path}.operator`, message: 'Choose a comparison' });
    const read = checkRuleValue(operator.value, term, rule.value);
    if ('message' in read) return this.badValue(rule, path, term, read);
    if (operator.value === 'reference' && !(await this.found(term, read.value as string)))
      return this.badValue(rule, path, term, {
        message: `This ${term.noun ?? 'value'} does not exist`,
        gone: read.value as string,
      });
    this.note(term, read.value);
    return {
      part: { field: rule.field, operator: rule.operator, ...(read.value !== undefined && { value: read.value }) },
      condition: await operator.sql(read.value, { ...this.context, bound }),
    };
  }

  private async found(term: SegmentTerm, value: string): Promise<boolean> {
    const label = (await term.find?.(value)) ?? null;
    if (label !== null) this.labels[labelKey(term.field, value)] = label;
    return label !== null;
  }

  private note(term: SegmentTerm, value: KindValues[keyof KindValues]): void {
    this.labels[labelKey(term.field)] = term.label;
    const values = Array.isArray(value) ? value : typeof value === 'object' ? value.values : [];
    const labels = new Map(term.options?.map((option) => [option.value, option.label]));
    for (const one of values) {
      const label = labels.get(String(one));
      if (label !== undefined) this.labels[labelKey(term.field, String(one))] = label;
    }
  }

  private badValue(rule: SegmentRule, path: string, term: SegmentTerm, { message, gone }: ValueFault): Compiled {
    return this.bad(rule, {
      field: `${path}.value`,
      message,
      ...(gone !== undefined && { gone: { field: rule.field, value: gone, noun: term.noun ?? 'option' } }),
    });
  }

  private bad(part: SegmentRule, problem: FilterProblem): Compiled {
    this.problems.push(problem);
    return { part, condition: NOTHING };
  }
}
