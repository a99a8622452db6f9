import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { AudiencePool } from '../../lists/index.js';
import { type AudienceCounts, LEFT_OUT_REASONS, type LeftOutReason, type LeftOutSample } from './audience-choice.js';
import { type JudgedChoice, judgementSql } from './audience-judgement.js';
import type { LateReason } from './late-reasons.js';

/** Number of left-out addresses that a preview shows per reason. */
const SAMPLES = 10;

type Row = { why: string | null; n: number };

/**
 * Decides what happens to every address of a choice: counts the addresses for a preview, or stores a send's audience.
 */
@Injectable()
export class AudienceEvaluation {
  constructor(private readonly pool: AudiencePool) {}

  /**
   * Number of memberships of the choice, counted up to a limit. A membership with several suppressions counts once for
   * each.
   */
  async size(em: EntityManager, choice: JudgedChoice, limit: number): Promise<number> {
    const { sql, params } = this.pool.membershipsSql(choice.pool);
    const [found] = await rows<{ n: number }>(
      em,
      `select count(*)::int as n from (select 1 from (${sql}) m limit ?) s`,
      [...params, limit],
    );
    return found?.n ?? 0;
  }

  /**
   * Counts the addresses of a choice without writing anything. The numbers must not reveal whether an exclusion names
   * somebody on the shared network, so such people count as if they were mailed.
   */
  async count(em: EntityManager, choice: JudgedChoice): Promise<AudienceCounts> {
    const { sql, params } = judgementSql(this.pool, choice, true);
    return countsOf(await rows<Row>(em, `with ${sql} ${COUNTS}`, params));
  }

  /** Like `count`, with examples of left-out addresses. Masked addresses are never among the examples. */
  async preview(
    em: EntityManager,
    choice: JudgedChoice,
  ): Promise<{ counts: AudienceCounts; samples: LeftOutSample[] }> {
    const { sql, params } = judgementSql(this.pool, choice, true);
    const [found] = await rows<{ counts: Row[]; samples: LeftOutSample[] | null }>(
      em,
      `with ${sql}, counted as (${COUNTS})
       select (select jsonb_agg(c) from counted c) as counts, (
         select jsonb_agg(jsonb_build_object('email', s.email, 'reason', s.why, 'detail', s.words) order by s.why, s.email_norm)
         from (select j.*, row_number() over (partition by j.why order by j.email_norm) as nth from judged j where j.why = any (?::text[]) and not j.masked) s
         where s.nth <= ${SAMPLES}) as samples`,
      [...params, LEFT_OUT],
    );
    return { counts: countsOf(found?.counts ?? []), samples: found?.samples ?? [] };
  }

  /**
   * Counts each address of a choice once, by what would happen to it now: null for addresses that are mailed, else the
   * reason why not. Unlike `count`, it tells unsubscribed, bounced and complained addresses apart, and includes the
   * reasons that are applied only right before a message leaves.
   */
  async forecast(
    em: EntityManager,
    choice: JudgedChoice,
    lateReasons: readonly LateReason[],
  ): Promise<Map<string | null, number>> {
    const { sql, params } = judgementSql(this.pool, choice, true, true);
    const further = lateReasons.map(({ code }, i) => `when f${i}.email_hash is not null then '${code}'`).join(' ');
    const joins = lateReasons.map(({ addresses, only }, i) => ({
      sql: `left join (${addresses.sql}) f${i} on j.why is null and ${only} and f${i}.email_hash = j.email_hash`,
      params: addresses.params,
    }));
    const found = await rows<Row>(
      em,
      `with ${sql} select case when j.why = 'suppressed' then coalesce(j.mark, 'unsubscribed') when j.why is not null then j.why ${further} end as why, count(*)::int as n
       from judged j ${joins.map((join) => join.sql).join(' ')} group by 1`,
      [...params, ...joins.flatMap((join) => join.params)],
    );
    return new Map(found.map(({ why, n }) => [why, n]));
  }

  /**
   * Stores the members and the left-out people of a send, in the caller's transaction.
   * @returns the same numbers as `count`
   */
  async freeze(em: EntityManager, sendId: string, choice: JudgedChoice): Promise<AudienceCounts> {
    const { sql, params } = judgementSql(this.pool, choice, false);
    const found = await rows<Row>(
      em,
      `with ${sql}, members as (
         insert into send_members (history_id, email_norm, email_hash, contact_id, email_list_id, profile_id, masked, email, name)
         select ?::uuid, j.email_norm, j.email_hash, j.contact_id, j.email_list_id, j.profile_id, j.masked, j.email, j.name from judged j where j.why is null order by j.email_norm
       ), left_out as (
         insert into send_left_out (history_id, position, contact_id, email_list_id, masked, email, reason, detail)
         select ?::uuid, row_number() over (order by j.email_norm), j.contact_id, j.email_list_id, j.masked, j.email, j.why, j.words
         from judged j where j.why = any (?::text[]) and not j.is_quiet
       ) ${COUNTS} union all select 'quiet', count(*)::int from judged j where j.is_quiet`,
      [...params, sendId, sendId, LEFT_OUT],
    );
    return found.some(({ why, n }) => why === 'quiet' && n > 0) ? this.count(em, choice) : countsOf(found);
  }
}

const LEFT_OUT = `{${LEFT_OUT_REASONS.join(',')}}`;

const COUNTS = `select j.why, count(*)::int as n from judged j group by j.why
  union all select 'memberships', count(*)::int from memberships m where m.consent_state = 'mailable'
  union all select 'mailable', count(*)::int from people p where p.consent_state = 'mailable'`;

function countsOf(found: readonly Row[]): AudienceCounts {
  const of = (name: string | null): number => found.find(({ why }) => why === name)?.n ?? 0;
  return {
    recipients: of(null),
    suppressed: of('suppressed'),
    pending: of('pending'),
    otherType: of('otherType'),
    duplicates: of('memberships') - of('mailable'),
    leftOut: Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, of(reason)])) as Record<
      LeftOutReason,
      number
    >,
  };
}
