import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import { sqlArray } from '../../shared/database/queries/sql-array.js';
import type { ContactType } from '../../shared/enums.js';
import { hostSql } from '../../shared/database/queries/columns.js';
import { MARKED } from './audience.service.js';
import { SUPPRESSED_SINCE, SUPPRESSION_JOIN } from './unsubscribe/suppression-sql.js';

/** The lists and segments that a send with segments, exclusions or caps goes to. */
export interface PoolChoice {
  ownerId: string;
  contactType: ContactType;
  listIds: readonly string[];
  /** Conditions over profiles `p` of the account; a profile that meets any of them is in the pool. */
  segments: readonly SqlPart[];
  /** Time at which the send was accepted. Consent is evaluated as of this time; default: now. */
  asOf?: Date;
}

/** SQL for the addresses of a choice of lists and segments, each with its consent state. */
@Injectable()
export class AudiencePool {
  constructor(private readonly em: EntityManager) {}

  /**
   * SQL of the memberships on the chosen lists, of the segment members' memberships on any own list, and of segment
   * members who are on no list. Columns: contact_id uuid, email_list_id uuid, profile_id uuid, email, email_norm text,
   * email_hash bytea, name text, company_domain text, mark text (unsubscribed, bounced, complained or null), masked
   * boolean, is_chosen boolean, created_at, consent_state text: mailable, suppressed, pending or otherType. A
   * suppressed membership has a row for each suppression.
   */
  membershipsSql(choice: PoolChoice): SqlPart {
    const { listIds, segments, ownerId } = choice;
    const consentState = consentStateSql(choice);
    const chosen: SqlPart = {
      sql: `select ${MEMBERSHIP}, l.is_default as masked, true as is_chosen, c.created_at, ${consentState.sql} as consent_state
        from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null ${consentState.join.sql} where c.email_list_id = any (?::uuid[])`,
      params: [...consentState.params, ...consentState.join.params, sqlArray(listIds)],
    };
    if (segments.length === 0) return chosen;
    const parts: SqlPart[] = [
      ...(listIds.length > 0 ? [chosen] : []),
      {
        sql: `select ${MEMBERSHIP}, false as masked, false as is_chosen, c.created_at, ${consentState.sql} as consent_state
          from segment_members m join subscriptions c on c.profile_id = m.id join email_lists l on l.id = c.email_list_id and l.deleted_at is null
            ${consentState.join.sql}
          where l.owner_id = ? and not l.is_default and c.email_list_id <> all (?::uuid[])`,
        params: [...consentState.params, ...consentState.join.params, ownerId, sqlArray(listIds)],
      },
      {
        sql: `select null::uuid, null::uuid, s.id, s.email, s.email_norm, s.email_hash, null::text, s.company_domain, null::text, false, false, s.created_at, 'pending'
          from segment_members s where not exists (
            select 1 from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null where c.profile_id = s.id)`,
        params: [],
      },
    ];
    return {
      sql: `with segment_members as materialized (
          select p.id, p.email, p.email_norm, p.email_hash, p.company_domain, p.created_at from contact_profiles p where ${segments.map(({ sql }) => `(${sql})`).join(' or ')}
        ) ${parts.map(({ sql }) => sql).join(' union all ')}`,
      params: [...segments.flatMap(({ params }) => params), ...parts.flatMap(({ params }) => params)],
    };
  }

  /**
   * SQL of one row per address of the relation `memberships`, which holds the rows of `membershipsSql`. Mailable
   * memberships come first; then own lists before the network, chosen lists before others, the oldest first.
   */
  readonly peopleSql = `select distinct on (m.email_hash) m.* from memberships m
    order by m.email_hash, m.consent_state <> 'mailable', case m.consent_state when 'suppressed' then 1 when 'pending' then 2 else 3 end, m.masked, not m.is_chosen, m.created_at, m.contact_id`;

  /**
   * SQL of the same addresses for counting, without the columns that only identify memberships. Aggregates narrow rows
   * by hash instead of sorting them, so that millions of memberships are counted in a second or two. Columns:
   * email_hash, consent_state, mark, masked, and email_norm if requested.
   * @param withAddress whether email_norm is needed
   */
  countedPeopleSql(withAddress: boolean): string {
    const address = withAddress ? ', m.email_norm' : '';
    return `select m.email_hash${address}, (array['mailable', 'suppressed', 'pending', 'otherType'])[m.best / 8 + 1] as consent_state,
        (array['unsubscribed', 'complained', 'bounced'])[m.best % 4 + 1] as mark, m.best % 8 >= 4 as masked
      from (
        select m.email_hash${address}, min(
          case m.consent_state when 'mailable' then 0 when 'suppressed' then 8 when 'pending' then 16 else 24 end + case when m.masked then 4 else 0 end
          + case m.mark when 'complained' then 1 when 'bounced' then 2 else 0 end) as best
        from memberships m group by m.email_hash${address}) m`;
  }

  /** SQL of the addresses on these lists, whatever their consent there. Columns: email_hash, email_list_id. */
  onListsSql(listIds: readonly string[]): SqlPart {
    return {
      sql: `select distinct on (x.email_hash) x.email_hash, x.email_list_id from subscriptions x where x.email_list_id = any (?::uuid[]) order by x.email_hash, x.email_list_id`,
      params: [sqlArray(listIds)],
    };
  }

  /**
   * Hosts of the addresses on these lists whose company is unknown, because the contact has no profile: members of the
   * network, and older contacts until the backfill.
   */
  async hostsWithoutCompany(em: EntityManager, listIds: readonly string[]): Promise<string[]> {
    if (listIds.length === 0) return [];
    const found = await rows<{ host: string }>(
      em,
      `select distinct ${hostSql('c.email_norm')} as host from subscriptions c where c.email_list_id = any (?::uuid[]) and c.profile_id is null`,
      [sqlArray(listIds)],
    );
    return found.map(({ host }) => host);
  }
}

const MEMBERSHIP = `c.id as contact_id, c.email_list_id, c.profile_id, c.email, c.email_norm, c.email_hash, c.name, c.company_domain, c.suppressed as mark`;

/** SQL of the consent state of contact `c` on list `l`, and of the join that it needs. */
function consentStateSql({ ownerId, contactType, asOf }: PoolChoice): SqlPart & { join: SqlPart } {
  if (!asOf)
    return {
      sql: `case when ${MARKED} or s.address_hash is not null then 'suppressed' when not c.confirmed then 'pending' when c.subscription_type <> ? then 'otherType' else 'mailable' end`,
      params: [contactType],
      join: { sql: SUPPRESSION_JOIN, params: [ownerId, ownerId] },
    };
  const time = asOf.toISOString();
  return {
    sql: `case when ${MARKED} or ${SUPPRESSED_SINCE} then 'suppressed'
      when not c.confirmed or c.created_at > ?::timestamptz or coalesce(c.confirmed_at, c.created_at) > ?::timestamptz then 'pending'
      when c.subscription_type <> ? then 'otherType' else 'mailable' end`,
    params: [time, ownerId, time, ownerId, time, time, time, time, time, contactType],
    join: { sql: '', params: [] },
  };
}
