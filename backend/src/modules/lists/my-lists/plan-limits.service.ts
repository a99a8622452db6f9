import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { Accounts } from '../../auth/index.js';
import { contactLimit, listLimit } from '../lists.errors.js';

/** List and contact limits of the Free plan. Locks the account, so that concurrent calls cannot exceed a limit. */
@Injectable()
export class PlanLimits {
  constructor(
    private readonly settings: Settings,
    private readonly accounts: Accounts,
  ) {}

  /** Maximum number of contacts over all lists of the account. @returns null if the plan has no limit */
  contactLimitOf(userId: string): Promise<number | null> {
    return this.onFree(userId, this.settings.freeContactLimit);
  }

  /** Makes sure that one more list fits the plan. @throws plan_limit otherwise */
  async reserveList(em: EntityManager, userId: string): Promise<void> {
    const limit = await this.onFree(userId, this.settings.freeListLimit);
    if (limit === null) return;
    await this.lock(em, userId);
    const [found] = await rows<{ lists: number }>(
      em,
      'select count(*)::int as lists from email_lists where owner_id = ? and deleted_at is null',
      [userId],
    );
    if ((found?.lists ?? 0) >= limit) throw listLimit(limit);
  }

  /** Makes sure that this many further contacts fit the plan. @throws plan_limit otherwise */
  async reserveContacts(em: EntityManager, userId: string, count: number): Promise<void> {
    const limit = await this.contactLimitOf(userId);
    if (limit !== null && (await this.roomWithin(em, userId, limit)) < count) throw contactLimit(limit);
  }

  /**
   * Number of contacts that still fit the plan. Locks the account, so that concurrent calls cannot exceed this number.
   * @returns null if the plan has no limit
   */
  async roomFor(em: EntityManager, userId: string): Promise<number | null> {
    const limit = await this.contactLimitOf(userId);
    return limit === null ? null : this.roomWithin(em, userId, limit);
  }

  /**
   * Number of contacts that still fit a limit. Locks the account, so that concurrent batches cannot exceed the limit.
   */
  async roomWithin(em: EntityManager, userId: string, limit: number): Promise<number> {
    await this.lock(em, userId);
    return Math.max(0, limit - (await this.contactsOf(em, userId)));
  }

  /** Number of contacts over all lists of the account. */
  async contactsOf(em: EntityManager, userId: string): Promise<number> {
    const [found] = await rows<{ contacts: number }>(
      em,
      'select coalesce(sum(contact_count), 0)::int as contacts from email_lists where owner_id = ? and deleted_at is null',
      [userId],
    );
    return found?.contacts ?? 0;
  }

  /**
   * Returns the limit if it applies to the account. Months earned by referrals count as Pro.
   * @returns null unless the account is on the Free plan
   */
  private async onFree(userId: string, limit: number | undefined): Promise<number | null> {
    if (limit === undefined) return null;
    return (await this.accounts.entitlementsOf(userId)).plan === 'free' ? limit : null;
  }

  /** Locks the account's limits until the transaction ends. */
  async lock(em: EntityManager, userId: string): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('lists.plan:' || ?, 0))`, [userId]);
  }
}
