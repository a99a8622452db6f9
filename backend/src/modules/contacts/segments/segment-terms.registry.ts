import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { Bound } from '../activity/recent-activity.registry.js';

/** Kinds of values that operators need. */
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
  /** From, to. */
  numbers: [number, number];
  date: string;
  /** From, to. */
  dates: [string, string];
  days: number;
  count: number;
  /** One to 200 of the term's options. */
  options: string[];
  /** Like options, with one of the term's states. */
  listed: { values: string[]; state: string };
  /** Id of something that the term looks up individually, because there are too many to list. */
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
  /** The send whose audience is decided, where that was accepted earlier: only sends accepted before it count. */
  sendId?: string;
  /** Whether people are found for whom it is not known yet whether the rule holds. */
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

/** Something that a filter can ask about a profile. */
export interface SegmentTerm {
  /** Its stable name in filters. */
  field: string;
  label: string;
  /** Heading under which the builder offers it. */
  group: string;
  options?: readonly TermOption[];
  /** For `listed`: states of an option that can be asked for. */
  states?: readonly TermOption[];
  /** Name of an option or reference in messages, such as `tag`. */
  noun?: string;
  /** The label of a reference; null where it belongs to another account or no longer exists. */
  find?(value: string): Promise<string | null>;
  operators: readonly TermOperator[];
}

/** A module's terms for one account. */
export interface SegmentTermSource {
  terms(ownerId: string, em: EntityManager): Promise<SegmentTerm[]> | SegmentTerm[];
}

/** Registry of the terms that segments can use. Modules above contacts add theirs at start. */
@Injectable()
export class SegmentTerms {
  private readonly sources: SegmentTermSource[] = [];

  add(source: SegmentTermSource): void {
    this.sources.push(source);
  }

  /** All terms of an account, by group in the order of GROUPS. */
  async of(ownerId: string, em: EntityManager): Promise<SegmentTerm[]> {
    const found: SegmentTerm[] = [];
    // One after another, because a transaction has one connection.
    for (const source of this.sources) found.push(...(await source.terms(ownerId, em)));
    return found.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
  }
}

/** Headings in the order in which the builder shows them. */
export const GROUPS = ['Person', 'Your fields', 'Company', 'Tags', 'Lists and consent', 'Activity'];

/** An operator whose value's type follows from its kind. */
export const operator = <K extends ValueKind>(
  name: string,
  label: string,
  value: K,
  sql: TermOperator<K>['sql'],
): TermOperator => ({ name, label, value, sql }) as TermOperator<K>;

/** The opposite of a condition that is never null. */
export const not = ({ sql, params }: SqlPart): SqlPart => ({ sql: `not (${sql})`, params });
