import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';

/** How many messages of a send ended how. */
export type SendTally = Record<'sent' | 'unconfirmed' | 'failed' | 'skipped' | 'bounced' | 'complained' | 'unsubscribed', number>;

const SETTLED = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained'] as const satisfies readonly (keyof SendTally)[];
const ENDS = [...SETTLED, 'unsubscribed'] as const satisfies readonly (keyof SendTally)[];

/** The sums of a send's tallies, as columns for others' statements. */
export const TALLY_SUMS = ENDS.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ');

/** Messages of a send that have ended, however. */
export const settledOf = (tally: SendTally): number => SETTLED.reduce((sum, name) => sum + tally[name], 0);

const within = (days: number): string => `filter (where h.sent_at > now() - interval '${days} days')`;

/**
 * What became of the messages of everyone who sent within 30 days, as a table for others' statements: user_id, and for 7 and for 30 days
 * those taken by mail servers whatever became of them later, those that came back, those reported as spam.
 */
export const SENDER_TOTALS = `
  select h.user_id, ${[7, 30].map((days) => `
    coalesce(sum(t.sent + t.unconfirmed + t.bounced + t.complained) ${within(days)}, 0)::int as delivered${days},
    coalesce(sum(t.bounced) ${within(days)}, 0)::int as bounced${days}, coalesce(sum(t.complained) ${within(days)}, 0)::int as complained${days}`).join(',')}
  from email_history h join delivery_tallies t on t.history_id = h.id
  where h.sent_at > now() - interval '30 days' group by 1`;

/** Sums over sends, from the tallies: no delivery row is read. */
@Injectable()
export class SendTotalsReader {
  constructor(private readonly em: EntityManager) {}

  /** Of one send; it stands when the delivery rows are too old to be kept. */
  async ofSend(em: EntityManager, id: string): Promise<SendTally> {
    const [tally] = await rows<SendTally>(em, `select ${TALLY_SUMS} from delivery_tallies where history_id = ?`, [id]);
    return tally!;
  }

  /** Messages of all sends under way that have not ended, those not laid out yet among them. */
  async unsettled(em: EntityManager): Promise<number> {
    const [open] = await rows<{ count: number }>(
      em,
      `select coalesce(sum(greatest(0, h.recipient_count - t.ended)), 0)::float8 as count from email_history h cross join lateral (
         select coalesce(sum(${SETTLED.join(' + ')}), 0) as ended from delivery_tallies where history_id = h.id) t
       where h.status = 'pending'`,
    );
    return open!.count;
  }
}
