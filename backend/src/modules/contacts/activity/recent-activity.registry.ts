import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/**
 * How a condition treats people whose activity is not recorded yet. `lower` counts them as not matching, so that every
 * match is certain. `upper` counts them as matching, so that no match is missed.
 */
export type Bound = 'lower' | 'upper';

/** The bound to use inside a negation, which turns a lower bound into an upper one and vice versa. */
export const opposite = (bound: Bound): Bound => (bound === 'lower' ? 'upper' : 'lower');

/**
 * SQL conditions, over the alias `p` of a profile, for mail of accepted sends that contact_activity does not include
 * yet. While a large send's audience is not frozen, its recipients are unknown: `upper` counts everybody who may be a
 * recipient as mailed, `lower` nobody.
 */
export interface RecentActivity {
  /**
   * Condition, never null: whether the person was mailed within this number of days of 24 hours each or, if `days` is
   * null, at any time. A message counts from the acceptance of its send.
   */
  mailed(days: number | null, bound: Bound): SqlPart;
  /** Expression: number of messages to the profile that contact_activity does not include yet. */
  mailedCount(bound: Bound): SqlPart;
  /** Whether the two bounds give different results. */
  isUnknown: boolean;
}

/** A module that knows sends. */
export interface RecentActivitySource {
  /**
   * @param before id of a send; only sends accepted before it count
   * @returns null if contact_activity includes all mail of the account, so that no further table has to be read
   */
  of(ownerId: string, em: EntityManager, before?: string): Promise<RecentActivity | null>;
}

/**
 * Gives contacts access to sends. The module that knows the sends depends on this one and registers itself at start.
 */
@Injectable()
export class RecentActivities {
  private source: RecentActivitySource | undefined;

  /** Registers the source. Called once, at start. */
  provide(source: RecentActivitySource): void {
    this.source = source;
  }

  async of(ownerId: string, em: EntityManager, before?: string): Promise<RecentActivity | null> {
    return (await this.source?.of(ownerId, em, before)) ?? null;
  }
}
