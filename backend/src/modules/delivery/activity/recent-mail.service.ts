import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { CONTACT_TYPE_OF_SEND } from '../../../shared/enums.js';
import { type Bound, RecentActivities, type RecentActivity, withinDays } from '../../contacts/index.js';
import { type PendingActivity, SendActivity } from '../../history/index.js';
import { Audience, PROFILED_CONTACTS } from '../../lists/index.js';

/** SQL condition on a delivery `d`: its message was accepted, or still may be. */
const COUNTS = `d.status in ('queued', 'sending', 'deferred', 'sent', 'unconfirmed', 'bounced', 'complained')`;
/** SQL condition on a delivery `d`: the roll-up of its send has not counted it yet. */
const NOT_ROLLED_UP = `(d.status in ('queued', 'sending', 'deferred') or (d.position > h.activity_position and (h.activity_until is null or d.sent_at > h.activity_until)))`;

/** Recipients of a send whose delivery rows do not exist yet. */
interface ExpectedRecipients {
  sentAt: string;
  /** SQL condition on a profile `p`: the profile may be among the recipients. */
  condition: SqlPart;
  /** Whether the condition is exact, so that every matching profile is a recipient. */
  isKnown: boolean;
}

const since = (time: string, days: number | null): SqlPart =>
  days === null ? { sql: 'true', params: [] } : withinDays(time, days);

/**
 * Mail of sends that the roll-up has not counted yet. Reads their delivery rows, or their audience choice if the rows
 * do not exist yet.
 */
@Injectable()
export class RecentMail implements OnModuleInit {
  constructor(
    private readonly registry: RecentActivities,
    private readonly sends: SendActivity,
    private readonly audience: Audience,
  ) {}

  onModuleInit(): void {
    this.registry.provide({ of: (ownerId, em, before) => this.of(ownerId, em, before) });
  }

  private async of(ownerId: string, em: EntityManager, before?: string): Promise<RecentActivity | null> {
    const pending = await this.sends.pendingOf(em, ownerId, before);
    if (pending.length === 0) return null;
    const possible = await this.expected(em, pending);
    const within = (bound: Bound) => possible.filter(({ isKnown }) => isKnown || bound === 'upper');
    const ids = sqlArray(pending.map(({ id }) => id));
    const from = `from ${PROFILED_CONTACTS} c join email_delivery_logs d on d.contact_id = c.id join email_history h on h.id = d.history_id
      where c.profile_id = p.id and d.history_id = any (?::uuid[]) and not d.masked and ${COUNTS}`;
    return {
      isUnknown: possible.some(({ isKnown }) => !isKnown),
      mailed: (days, bound) => {
        const rowsOf = since('coalesce(d.sent_at, h.sent_at)', days);
        const parts: SqlPart[] = [
          { sql: `exists (select 1 ${from} and ${rowsOf.sql})`, params: [ids, ...rowsOf.params] },
          ...within(bound).map(({ sentAt, condition }) => {
            const isRecent = since('?::timestamptz', days);
            return {
              sql: `(${isRecent.sql} and ${condition.sql})`,
              params: [...(days === null ? [] : [sentAt]), ...isRecent.params, ...condition.params],
            };
          }),
        ];
        return { sql: parts.map(({ sql }) => sql).join(' or '), params: parts.flatMap(({ params }) => params) };
      },
      mailedCount: (bound) => ({
        sql: [
          `(select count(*) ${from} and ${NOT_ROLLED_UP})`,
          ...within(bound).map(({ condition }) => `(${condition.sql})::int`),
        ].join(' + '),
        params: [ids, ...within(bound).flatMap(({ condition }) => condition.params)],
      }),
    };
  }

  /** For large sends whose rows are incomplete: the people who are, or may be, in the audience and have no row yet. */
  private async expected(em: EntityManager, pending: readonly PendingActivity[]): Promise<ExpectedRecipients[]> {
    const open = await rows<{
      id: string;
      listIds: string[];
      lastEmail: string;
      isFixed: boolean;
      isOpen: boolean;
      hasSegments: boolean;
    }>(
      em,
      `select l.history_id as id, coalesce(a.choices -> 'listIds', l.list_ids) as "listIds", l.last_email as "lastEmail", a.frozen_at is not null as "isFixed", a.history_id is not null and a.frozen_at is null as "isOpen",
         coalesce(jsonb_array_length(a.choices -> 'segmentIds') > 0, false) as "hasSegments"
       from send_layouts l join email_history h on h.id = l.history_id left join send_audiences a on a.history_id = l.history_id
       where l.history_id = any (?::uuid[]) and not (a.history_id is not null and a.frozen_at is null and h.cancelled_at is not null)`,
      [sqlArray(pending.map(({ id }) => id))],
    );
    return open.map(({ id, listIds, lastEmail, isFixed, isOpen, hasSegments }) => {
      const { sendType, sentAt } = pending.find((send) => send.id === id)!;
      if (isFixed) return { sentAt, condition: membersOf(id, lastEmail), isKnown: true };
      // A segment cannot be evaluated inside another one, so anybody may be in the audience until a worker has frozen
      // it.
      if (hasSegments) return { sentAt, condition: EVERYBODY, isKnown: false };
      return {
        sentAt,
        condition: this.audience.profileSql('p.id', listIds, CONTACT_TYPE_OF_SEND[sendType], {
          asOf: sentAt,
          after: lastEmail,
        }),
        // Until the audience is frozen, its exclusions, rules and caps are unknown too.
        isKnown: !isOpen,
      };
    });
  }
}

const EVERYBODY: SqlPart = { sql: 'true', params: [] };

/** SQL condition on a profile `p`: it is a member of a frozen audience and has no delivery row yet. */
const membersOf = (sendId: string, after: string): SqlPart => ({
  sql: `p.id in (select m.profile_id from send_members m where m.history_id = ? and m.email_norm > ? and m.profile_id is not null)`,
  params: [sendId, after],
});
