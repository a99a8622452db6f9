import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { SETTLED_DELIVERY_STATUSES } from '../../shared/enums.js';
import { Compactor, type CounterTable } from '../../shared/database/queries/compactor.js';

const OUTCOMES = [...SETTLED_DELIVERY_STATUSES, 'unsubscribed'] as const;

/** Number of messages of a send, by outcome. */
export type SendTally = Record<(typeof OUTCOMES)[number], number>;

/** Sums of a send's tallies as SQL columns. */
export const TALLY_SUMS = OUTCOMES.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ');

/** Number of messages with a final status. */
export const settledOf = (tally: SendTally): number =>
  SETTLED_DELIVERY_STATUSES.reduce((sum, name) => sum + tally[name], 0);

const within = (days: number): string => `filter (where h.sent_at > now() - interval '${days} days')`;

/**
 * SQL table of the users who sent within the last 30 days: user_id, and for 7 and for 30 days the numbers of messages
 * that were delivered (accepted by the recipient's server, including those that bounced later), that bounced, and that
 * were reported as spam.
 */
export const SENDER_TOTALS = `
  select h.user_id, ${[7, 30]
    .map(
      (days) => `
    coalesce(sum(t.sent + t.unconfirmed + t.bounced + t.complained) ${within(days)}, 0)::int as delivered${days},
    coalesce(sum(t.bounced) ${within(days)}, 0)::int as bounced${days}, coalesce(sum(t.complained) ${within(days)}, 0)::int as complained${days}`,
    )
    .join(',')}
  from email_history h join delivery_tallies t on t.history_id = h.id
  where h.sent_at > now() - interval '30 days' group by 1`;

/** Messages of one week. `accepted` includes messages that bounced later. */
export interface WeekTotals {
  accepted: number;
  bounced: number;
}

/** Totals of sends, read from tallies instead of delivery rows. */
@Injectable()
export class SendTotalsReader {
  constructor(private readonly em: EntityManager) {}

  /** Totals of one send. They are available even after its delivery rows were deleted. */
  async ofSend(em: EntityManager, id: string): Promise<SendTally> {
    const [tally] = await rows<SendTally>(em, `select ${TALLY_SUMS} from delivery_tallies where history_id = ?`, [id]);
    return tally!;
  }

  /** Messages of one user's sends in the last seven days, and in the seven days before. */
  async weeksOf(em: EntityManager, userId: string): Promise<{ now: WeekTotals; before: WeekTotals }> {
    const found = await rows<WeekTotals & { isNow: boolean }>(
      em,
      `select h.sent_at > now() - interval '7 days' as "isNow", coalesce(sum(t.sent + t.unconfirmed + t.bounced + t.complained), 0)::int as accepted, coalesce(sum(t.bounced), 0)::int as bounced
       from email_history h join delivery_tallies t on t.history_id = h.id where h.user_id = ? and h.sent_at > now() - interval '14 days' group by 1`,
      [userId],
    );
    const week = (isNow: boolean) => found.find((row) => row.isNow === isNow) ?? { accepted: 0, bounced: 0 };
    return { now: week(true), before: week(false) };
  }

  /** Number of unsettled messages of all running sends, including messages without a row yet. */
  async unsettled(em: EntityManager): Promise<number> {
    const [open] = await rows<{ count: number }>(
      em,
      `select coalesce(sum(greatest(0, h.recipient_count - t.ended)), 0)::float8 as count from email_history h cross join lateral (
         select coalesce(sum(${SETTLED_DELIVERY_STATUSES.join(' + ')}), 0) as ended from delivery_tallies where history_id = h.id) t
       where h.status = 'pending'`,
    );
    return open!.count;
  }
}

/** Merges the tally rows of each settled send into one, and deletes the rows of deleted sends. */
@Injectable()
export class TallyCompactor extends Compactor {
  protected readonly lock = 'history.tallies';
  protected readonly source: CounterTable = {
    table: 'delivery_tallies',
    key: ['history_id'],
    counts: ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'],
    join: 'left join email_history h on h.id = t.history_id',
    ready: `h.status is distinct from 'pending'`,
    existing: 'join email_history h on h.id = g.history_id',
  };
}
