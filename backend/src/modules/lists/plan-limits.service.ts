import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/rows.js';
import { Accounts } from '../auth/index.js';
import { contactLimit, listLimit } from './lists.errors.js';

/** Lists and contacts that the Free plan holds (decisions.md D12); callers of one account take turns, so that two at once never pass a limit. */
@Injectable()
export class PlanLimits {
  constructor(private readonly settings: Settings, private readonly accounts: Accounts) {}

  /** How many contacts the account may hold over all its lists; null: any number. */
  contactLimitOf(userId: string): Promise<number | null> {
    return this.onFree(userId, this.settings.freeContactLimit);
  }

  /** @throws plan_limit where one more list is one too many */
  async reserveList(em: EntityManager, userId: string): Promise<void> {
    const limit = await this.onFree(userId, this.settings.freeListLimit);
    if (limit === null) return;
    await this.takeTurns(em, userId);
    const [found] = await rows<{ lists: number }>(em, 'select count(*)::int as lists from email_lists where owner_id = ?', [userId]);
    if ((found?.lists ?? 0) >= limit) throw listLimit(limit);
  }

  /** @throws plan_limit where one more contact is one too many */
  async reserveContact(em: EntityManager, userId: string): Promise<void> {
    const limit = await this.contactLimitOf(userId);
    if (limit === null) return;
    await this.takeTurns(em, userId);
    const [found] = await rows<{ contacts: number }>(em, 'select coalesce(sum(contact_count), 0)::int as contacts from email_lists where owner_id = ?', [userId]);
    if ((found?.contacts ?? 0) >= limit) throw contactLimit(limit);
  }

  /** A limit holds on Free only; referral months count as Pro (decisions.md D10). */
  private async onFree(userId: string, limit: number | undefined): Promise<number | null> {
    if (limit === undefined) return null;
    return (await this.accounts.entitlementsOf(userId)).plan === 'free' ? limit : null;
  }

  private async takeTurns(em: EntityManager, userId: string): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('lists.plan:' || ?, 0))`, [userId]);
  }
}
