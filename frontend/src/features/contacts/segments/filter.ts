import type { SegmentTermDto, TermOperatorDto } from '../../../api/endpoints.gen';

/** A rule or group as the server stores it. */
export interface StoredRule {
  field: string;
  operator: string;
  value?: unknown;
}
export interface StoredFilter {
  combinator: 'and' | 'or';
  not?: boolean;
  rules: (StoredRule | StoredFilter)[];
}

export type Term = SegmentTermDto;
export type Operator = TermOperatorDto;

/** Limits that the server enforces. */
export const FILTER_LIMITS = { depth: 3, rules: 50, values: 200 } as const;

export const isGroup = <G extends { rules: unknown[] }>(part: object | G): part is G => 'rules' in part;

/** How a group's rules are combined, as one choice. */
export type Match = 'all' | 'any' | 'none';
export const matchOf = ({ combinator, not }: Pick<StoredFilter, 'combinator' | 'not'>): Match =>
  not ? 'none' : combinator === 'or' ? 'any' : 'all';
export const combinatorOf = (match: Match): Pick<StoredFilter, 'combinator' | 'not'> => ({
  combinator: match === 'all' ? 'and' : 'or',
  not: match === 'none',
});

/** Looks up the account's terms. */
export class Terms {
  private readonly byField: ReadonlyMap<string, Term>;

  constructor(
    readonly all: readonly Term[],
    /** Labels of deleted fields and values, and of sends, by `field` and `field:value`. */
    private readonly labels: Readonly<Record<string, string>> = {},
  ) {
    this.byField = new Map(all.map((term) => [term.field, term]));
  }

  term(field: string): Term | undefined {
    return this.byField.get(field);
  }

  operator({ field, operator }: Pick<StoredRule, 'field' | 'operator'>): Operator | undefined {
    return this.term(field)?.operators.find(({ name }) => name === operator);
  }

  label(field: string): string {
    return this.term(field)?.label ?? this.labels[field] ?? field.replace(/^field\./, '');
  }

  valueLabel(field: string, value: string): string {
    const option = this.term(field)?.options.find((one) => one.value === value);
    return option?.label ?? this.labels[`${field}:${value}`] ?? value;
  }

  stateLabel(field: string, state: string): string {
    return this.term(field)?.states.find(({ value }) => value === state)?.label ?? state;
  }
}
