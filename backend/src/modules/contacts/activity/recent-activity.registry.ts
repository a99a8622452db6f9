import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/**
 * How a condition treats people whose activity is not written yet. `lower`: as not matching, so every match is
 * certain. `upper`: as matching, so nobody who matches is missed.
 */
export type Bound = 'lower' | 'upper';

/** The bound to use inside a negation, which turns a lower bound into an upper one and vice versa. */
export const opposite = (bound: Bound): Bound => (bound === 'lower' ? 'upper' : 'lower');

/**
 * SQL conditions, over the alias `p` of a profile, for mail of accepted sends that contact_activity does not count yet.
 * While a large send's audience is not frozen, its recipients are unknown: `upper` counts everybody who may be one as
 * mailed, `lower` nobody.
 */
export interface RecentActivity {
  /**
   * Condition, never null: whether the person was mailed within a number of days of 24 hours each; null: ever. A
   * message counts from the acceptance of its send.
   */
  mailed(days: number | null, bound: Bound): SqlPart;
  /** Expression: number of such messages to the profile. */
  mailedCount(bound: Bound): SqlPart;
  /** Whether the bounds differ. */
  isUnknown: boolean;
}

/** A module that knows sends. */
export interface RecentActivitySource {
  /**
   * Null where contact_activity counts all mail of the account, so that no further table has to be read.
   * @param before id of a send: only sends accepted before it
   */
  of(ownerId: string, em: EntityManager, before?: string): Promise<RecentActivity | null>;
}

/** Gives contacts access to the sends, which a module above knows: that module registers itself at start. */
@Injectable()
export class RecentActivities {
  private source: RecentActivitySource | undefined;

  /** Called once, at start. */
  provide(source: RecentActivitySource): void {
    this.source = source;
  }

  async of(ownerId: string, em: EntityManager, before?: string): Promise<RecentActivity | null> {
    return (await this.source?.of(ownerId, em, before)) ?? null;
  }
}
