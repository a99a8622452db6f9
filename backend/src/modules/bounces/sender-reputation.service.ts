import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { SENDER_TOTALS } from '../history/index.js';
import type { ReputationFlag, SenderRatesDto, SenderReputationDto } from './reputation.dto.js';

/**
 * Complaint rates from Google's sender guidelines: a sender should stay under 0.1 % and must never reach 0.3 %. With
 * fewer than MIN_MAILS mails, a rate means nothing.
 */
const WATCH = 0.001;
const ALERT = 0.003;
const MIN_MAILS = 1_000;
const WINDOW_DAYS = [7, 30] as const;

const share = (part: string, whole: string): string =>
  `coalesce(round(${part}::numeric / nullif(${whole}, 0), 6), 0)::float8`;
const level = (days: number): string =>
  `case when mails${days} < ${MIN_MAILS} or complaint_rate${days} < ${WATCH} then 0 when complaint_rate${days} >= ${ALERT} then 2 else 1 end`;

/**
 * Rates of every user who sent within 30 days. A message to an unknown mailbox counts as bounced, whether it was
 * refused at once or returned later.
 */
const RATED = `
  with totals as (${SENDER_TOTALS}), refused as (
    select user_id, ${WINDOW_DAYS.map((days) => `(count(*) filter (where created_at > now() - interval '${days} days'))::int as refused${days}`).join(', ')}
    from bounce_reports where report_key = 'smtp' and class = 'hard-address' and user_id is not null and created_at > now() - interval '30 days' group by 1
  ), counted as (
    select t.user_id, ${WINDOW_DAYS.map(
      (
        days,
      ) => `t.complained${days}, t.delivered${days} + coalesce(r.refused${days}, 0) as mails${days}, t.bounced${days} + coalesce(r.refused${days}, 0) as back${days},
      ${share(`t.complained${days}`, `t.delivered${days}`)} as complaint_rate${days}`,
    ).join(', ')}
    from totals t left join refused r on r.user_id = t.user_id
  ), rated as (
    select *, ${WINDOW_DAYS.map((days) => `${share(`back${days}`, `mails${days}`)} as bounce_rate${days}`).join(', ')}, greatest(${WINDOW_DAYS.map(level).join(', ')}) as level from counted
  )`;

type Rates = {
  [
    Key in `${'mails' | 'back' | 'complained' | 'complaint_rate' | 'bounce_rate'}${(typeof WINDOW_DAYS)[number]}`
  ]: number;
};
interface Row extends Rates {
  user_id: string;
  level: number;
}

/** Selects the senders of a page. */
export interface SenderFilter {
  /** true: only senders whose complaint rate reaches the watch threshold. */
  flagged?: boolean;
  userIds?: readonly string[];
  from: number;
  limit: number;
}

/** Bounce and complaint rates per user. All users share the sending domain, so one bad sender harms everyone. */
@Injectable()
export class SenderReputation {
  constructor(private readonly em: EntityManager) {}

  /** Reputations of these users, in the given order. */
  async of(userIds: readonly string[]): Promise<SenderReputationDto[]> {
    const found = await rows<Row>(this.em, `${RATED} select * from rated where ${OF_USERS}`, [JSON.stringify(userIds)]);
    const known = new Map(found.map((row) => [row.user_id, viewOf(row)]));
    return userIds.map(
      (userId) => known.get(userId) ?? { userId, last7Days: NOTHING, last30Days: NOTHING, flag: 'none' },
    );
  }

  /** Reputations of all users who sent within 30 days, the worst first. */
  async page({
    flagged = false,
    userIds,
    from,
    limit,
  }: SenderFilter): Promise<{ rows: SenderReputationDto[]; total: number }> {
    const found = await rows<Omit<Row, 'user_id'> & { user_id: string | null; total: number }>(
      this.em,
      `${RATED}, fitting as (select * from rated where level >= ?::int ${userIds ? `and ${OF_USERS}` : ''})
       select (select count(*)::int from fitting) as total, f.*
       from (select 1) one left join lateral (
         select * from fitting order by level desc, complaint_rate30 desc, bounce_rate30 desc, user_id limit ?::int offset ?::int
       ) f on true`,
      [flagged ? 1 : 0, ...(userIds ? [JSON.stringify(userIds)] : []), limit, from],
    );
    return {
      total: found[0]?.total ?? 0,
      rows: found.flatMap((row) => (row.user_id === null ? [] : [viewOf(row as Row)])),
    };
  }
}

const OF_USERS = 'user_id in (select value::uuid from jsonb_array_elements_text(?::jsonb))';
const FLAGS: readonly ReputationFlag[] = ['none', 'watch', 'alert'];
const NOTHING: SenderRatesDto = { mails: 0, bounced: 0, complained: 0, bounceRate: 0, complaintRate: 0 };

function viewOf(row: Row): SenderReputationDto {
  const rates = (days: (typeof WINDOW_DAYS)[number]): SenderRatesDto => ({
    mails: row[`mails${days}`],
    bounced: row[`back${days}`],
    complained: row[`complained${days}`],
    bounceRate: row[`bounce_rate${days}`],
    complaintRate: row[`complaint_rate${days}`],
  });
  return { userId: row.user_id, last7Days: rates(7), last30Days: rates(30), flag: FLAGS[row.level]! };
}
