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

/** How many messages of a send ended how. */
export type SendTally = Record<'sent' | 'unconfirmed' | 'failed' | 'skipped' | 'bounced' | 'complained' | 'unsubscribed', number>;

const ENDS = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'] as const satisfies readonly (keyof SendTally)[];

/** Sums over sends, from the tallies: no delivery row is read. */
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

  /** Of one send; it stands when the delivery rows are too old to be kept. */
  async ofSend(em: EntityManager, id: string): Promise<SendTally> {
    const sums = ENDS.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ');
    const [tally] = await rows<SendTally>(em, `select ${sums} from delivery_tallies where history_id = ?`, [id]);
    return tally!;
  }
}
