import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { Bound } from '../activity/recent-activity.registry.js';

/** Kinds of values that operators take. */
export const VALUE_KINDS = [
  'none',
  'text',
  'texts',
  'number',
  'numbers',
  'date',
  'dates',
  'days',
  'count',
  'options',
  'listed',
  'reference',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** Validated values by kind. A date is YYYY-MM-DD; `days` and `count` are whole numbers. */
export interface KindValues {
  none: undefined;
  text: string;
  /** One to 200 texts. */
  texts: string[];
  number: number;
  /** First and last number of a range. */
  numbers: [number, number];
  date: string;
  /** First and last day of a range. */
  dates: [string, string];
  days: number;
  count: number;
  /** One to 200 of the term's options. */
  options: string[];
  /** Some of the term's options, with one of its states. */
  listed: { values: string[]; state: string };
  /** An id that the term looks up on its own, because there are too many to list as options. */
  reference: string;
}

export interface TermOption {
  value: string;
  label: string;
}

/** The account for whose contacts a filter is evaluated. */
export interface TermContext {
  ownerId: string;
  /** The account's time zone, in which dates are compared. */
  timeZone: string;
  em: EntityManager;
  /**
   * The send whose audience is being decided, if it was already accepted. Only sends accepted before this send count.
   */
  sendId?: string;
  /** How a rule treats people for whom it is not known yet whether the rule holds. */
  bound: Bound;
}

/** One comparison that a term offers. */
export interface TermOperator<K extends ValueKind = ValueKind> {
  name: string;
  label: string;
  value: K;
  /**
   * SQL condition over the profile `p` that is true or false, never null, because groups negate it. Values are bound,
   * never written into the text.
   */
  sql(value: KindValues[K], context: TermContext): SqlPart | Promise<SqlPart>;
}

/** A property of a profile that a filter can use, with its comparisons. */
export interface SegmentTerm {
  /** Stable name of the term in filters. */
  field: string;
  label: string;
  /** Heading under which the filter builder shows the term. */
  group: string;
  options?: readonly TermOption[];
  /** States of an option that a rule can ask for; only for `listed`. */
  states?: readonly TermOption[];
  /** What an option or reference is called in messages, such as `tag`. */
  noun?: string;
  /**
   * Looks up the label of a reference.
   * @returns null if the reference belongs to another account or no longer exists
   */
  find?(value: string): Promise<string | null>;
  operators: readonly TermOperator[];
}

/** A module's terms for one account. */
export interface SegmentTermSource {
  terms(ownerId: string, em: EntityManager): Promise<SegmentTerm[]> | SegmentTerm[];
}

/** Registry of the terms that segments can use. Modules that depend on contacts add their terms at start. */
@Injectable()
export class SegmentTerms {
  private readonly sources: SegmentTermSource[] = [];

  add(source: SegmentTermSource): void {
    this.sources.push(source);
  }

  /** All terms of an account, in the order of GROUPS. */
  async of(ownerId: string, em: EntityManager): Promise<SegmentTerm[]> {
    const found: SegmentTerm[] = [];
    // The sources are read one after another, because a transaction has a single connection.
    for (const source of this.sources) found.push(...(await source.terms(ownerId, em)));
    return found.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  }
}

/** Headings of terms, in the order in which the filter builder shows them. */
export const GROUPS = ['Person', 'Your fields', 'Company', 'Tags', 'Lists and consent', 'Activity'];

/** Creates an operator whose `sql` is typed by the kind of its value. */
export const operator = <K extends ValueKind>(
  name: string,
  label: string,
  value: K,
  sql: TermOperator<K>['sql'],
): TermOperator => ({ name, label, value, sql }) as TermOperator<K>;

/** Negates a condition that is never null. */
export const not = ({ sql, params }: SqlPart): SqlPart => ({ sql: `not (${sql})`, params });
