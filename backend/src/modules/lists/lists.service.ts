import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../shared/text/formats.js';
import { rows } from '../../shared/database/queries/rows.js';
import type { SendableList } from './audience.service.js';
import { EmailList } from './entities/email-list.entity.js';

/** Dashboard totals of a user's own lists; the default list does not count. */
export interface ListTotals {
  totalLists: number;
  /** Number of lists with a confirmed contact. */
  activeLists: number;
  totalContacts: number;
}

/** Gives other modules access to lists. */
@Injectable()
export class Lists {
  constructor(private readonly em: EntityManager) {}

  /**
   * The selected lists in the given order without duplicates.
   * @returns null if any of them is neither the user's own nor the default list
   */
  async findSendable(user: { id: string }, ids: string[]): Promise<SendableList[] | null> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    if (wanted.length === 0 || !wanted.every((id) => isUuid(id))) return null;
    const found = await this.em
      .fork()
      .find(EmailList, { id: { $in: wanted }, $or: [{ ownerId: user.id }, { isDefault: true }] });
    const byId = new Map(found.map((list) => [list.id, list]));
    const lists = wanted.flatMap((id) => byId.get(id) ?? []);
    return lists.length === wanted.length
      ? lists.map(({ id, name, isDefault, contactCount, confirmedCount }) => ({
          id,
          name,
          isDefault,
          contactCount,
          confirmedCount,
        }))
      : null;
  }

  /** Those of the given lists that still exist and that the user may send to, in the given order. */
  async present(user: { id: string }, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return [];
    const found = await this.em
      .fork()
      .find(
        EmailList,
        { id: { $in: wanted }, $or: [{ ownerId: user.id }, { isDefault: true }] },
        { fields: ['id', 'name'] },
      );
    const byId = new Map(found.map(({ id, name }) => [id, { id, name }]));
    return wanted.flatMap((id) => byId.get(id) ?? []);
  }

  /** All own lists of a user, by name. */
  async ownAll(user: { id: string }): Promise<SendableList[]> {
    const found = await this.em.fork().find(EmailList, { ownerId: user.id }, { orderBy: { name: 'asc', id: 'asc' } });
    return found.map(({ id, name, isDefault, contactCount, confirmedCount }) => ({
      id,
      name,
      isDefault,
      contactCount,
      confirmedCount,
    }));
  }

  async totalsOf(userId: string): Promise<ListTotals> {
    const [totals] = await rows<ListTotals>(
      this.em,
      `select count(*)::int as "totalLists", (count(*) filter (where confirmed_count > 0))::int as "activeLists",
              coalesce(sum(contact_count), 0)::int as "totalContacts"
       from email_lists where owner_id = ? and deleted_at is null`,
      [userId],
    );
    return totals ?? { totalLists: 0, activeLists: 0, totalContacts: 0 };
  }
}
