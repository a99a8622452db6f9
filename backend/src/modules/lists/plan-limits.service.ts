import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/rows.js';
import { contactLimit, listLimit } from './lists.errors.js';

/** Whose plan is asked for. */
export interface PlanUser {
  id: string;
  tier: string;
}

/** Lists and contacts that the Free plan holds (decisions.md D12); callers of one account take turns, so that two at once never pass a limit. */
@Injectable()
export class PlanLimits {
  constructor(private readonly settings: Settings) {}

  /** How many contacts the account may hold over all its lists; null: any number. */
  contactLimitOf(user: PlanUser): number | null {
    return user.tier === 'free' ? (this.settings.freeContactLimit ?? null) : null;
  }

  /** @throws plan_limit where one more list is one too many */
  async reserveList(em: EntityManager, user: PlanUser): Promise<void> {
    const limit = user.tier === 'free' ? (this.settings.freeListLimit ?? null) : null;
    if (limit === null) return;
    await this.takeTurns(em, user.id);
    const [found] = await rows<{ lists: number }>(em, 'select count(*)::int as lists from email_lists where owner_id = ?', [user.id]);
    if ((found?.lists ?? 0) >= limit) throw listLimit(limit);
  }

  /** @throws plan_limit where one more contact is one too many */
  async reserveContact(em: EntityManager, user: PlanUser): Promise<void> {
    const limit = this.contactLimitOf(user);
    if (limit === null) return;
    await this.takeTurns(em, user.id);
    const [found] = await rows<{ contacts: number }>(em, 'select coalesce(sum(contact_count), 0)::int as contacts from email_lists where owner_id = ?', [user.id]);
    if ((found?.contacts ?? 0) >= limit) throw contactLimit(limit);
  }

  private async takeTurns(em: EntityManager, userId: string): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('lists.plan:' || ?, 0))`, [userId]);
  }
}
