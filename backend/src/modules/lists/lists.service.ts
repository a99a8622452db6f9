import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { SendableList } from './audience.service.js';
import { EmailList } from './entities/email-list.entity.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the dashboard says of a user's own lists (decisions.md D40). */
export interface ListTotals {
  totalLists: number;
  /** Lists with a confirmed contact. */
  activeLists: number;
  totalContacts: number;
}

/** What other modules ask about lists. */
@Injectable()
export class Lists {
  constructor(private readonly em: EntityManager) {}

  /** The chosen lists in the order given (doubles once), or null when any of them is not the user's to send to: own ones and the default one are. */
  async findSendable(user: { id: string }, ids: string[]): Promise<SendableList[] | null> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    if (wanted.length === 0 || !wanted.every((id) => UUID.test(id))) return null;
    const found = await this.em.fork().find(EmailList, { id: { $in: wanted }, $or: [{ ownerId: user.id }, { isDefault: true }] });
    const byId = new Map(found.map((list) => [list.id, list]));
    const lists = wanted.flatMap((id) => byId.get(id) ?? []);
    return lists.length === wanted.length ? lists.map(({ id, name, isDefault, contactCount, confirmedCount }) => ({ id, name, isDefault, contactCount, confirmedCount })) : null;
  }

  async totalsOf(userId: string): Promise<ListTotals> {
    const [totals] = await rows<ListTotals>(
      this.em,
      `select count(*)::int as "totalLists", (count(*) filter (where confirmed_count > 0))::int as "activeLists",
              coalesce(sum(contact_count), 0)::int as "totalContacts"
       from email_lists where owner_id = ?`,
      [userId],
    );
    return totals ?? { totalLists: 0, activeLists: 0, totalContacts: 0 };
  }
}
