import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';

/** What became of a user's messages of the last days. */
export interface SendTotals {
  userId: string;
  /** Taken by mail servers, whatever became of them later. */
  delivered: number;
  bounced: number;
  complained: number;
}

/** Sums over the sends of users, from the tallies: no delivery row is read. */
@Injectable()
export class SendTotalsReader {
  constructor(private readonly em: EntityManager) {}

  /** Of each user with a send in the last days, or of these users only. */
  async ofDays(days: number, userIds?: readonly string[]): Promise<SendTotals[]> {
    return rows<SendTotals>(
      this.em,
      `select h.user_id as "userId", sum(t.sent + t.unconfirmed + t.bounced + t.complained)::int as delivered, sum(t.bounced)::int as bounced, sum(t.complained)::int as complained
       from email_history h join delivery_tallies t on t.history_id = h.id
       where h.sent_at > now() - make_interval(days => ?::int)
         and (?::jsonb is null or h.user_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)))
       group by 1`,
      [days, userIds ? JSON.stringify(userIds) : null, JSON.stringify(userIds ?? [])],
    );
  }
}
