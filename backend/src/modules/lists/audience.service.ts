import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import { CONTACT_TYPE_OF_SEND, type ContactType, type SendType } from '../../shared/enums.js';
import type { TagValues } from '../../shared/merge-tags/values.js';
import { suspendedSql } from '../auth/index.js';
import {
  type ContactField,
  type FieldColumns,
  fieldColumns,
  fieldColumnsSql,
  profileJoin,
  RowValues,
} from './contacts/contact-field-sql.js';
import {
  namedBySuppression,
  SUPPRESSED_SINCE,
  suppressedFor,
  HAS_UNSUBSCRIBED,
} from './unsubscribe/suppression-sql.js';
import { networkToken } from './unsubscribe/unsubscribe-links.service.js';

/** Number of recipients of a send, and numbers of contacts left out, by reason (see decisions.md: contact-types). */
export interface AudiencePreview {
  recipientCount: number;
  excluded: { pending: number; otherType: number; suppressed: number; duplicates: number };
}

/** A contact that passed the consent check right before mailing. */
export interface MailableContact {
  contactId: string;
  /** The address as typed, to which the message is sent. */
  email: string;
  name: string | null;
  unsubscribeToken: string;
  listName: string;
  /** SHA-256 of the normalised address of a contact of the default list, for its daily cap; null for other lists. */
  networkHash: Buffer | null;
  /** Whether the message must say who added the address: the first message to an attested contact does. */
  introductionDue: boolean;
  /** Identifies this address in notifications of consent changes. */
  consentToken: string;
  /** Values of the requested fields, by merge tag. */
  values?: TagValues;
}

export interface Recheck {
  mailable: Map<string, MailableContact>;
  /** Reasons for skipping contacts now, by contact id. */
  skipped: Map<string, 'unsubscribed' | 'bounced' | 'complained' | 'unconfirmed' | 'deleted' | 'suspended'>;
}

/** A selected list, as returned by Lists.findSendable. */
export interface SendableList {
  id: string;
  name: string;
  isDefault: boolean;
  contactCount: number;
  confirmedCount: number;
}

/**
 * Condition on an id. The ids are an array parameter, because for a subquery the planner would assume a hundred lists
 * of average size.
 */
const IN_IDS = `= any (?::uuid[])`;

/**
 * SQL condition: the contact is marked as unsubscribed or complained. Bounces are left out, because a bounce expires
 * with its suppression.
 */
export const MARKED = `coalesce(${HAS_UNSUBSCRIBED}, false)`;
export const BLOCKED = `(${MARKED} or ${suppressedFor('?::uuid')})`;

/** Resolves the recipients of a send. Consent is a condition of the query, never a filter afterwards. */
@Injectable()
export class Audience {
  constructor(private readonly em: EntityManager) {}

  /** Counts the recipients of a send to these lists, which must come from Lists.findSendable. */
  async preview(user: { id: string }, listIds: string[], sendType: SendType): Promise<AudiencePreview> {
    const ids = [...new Set(listIds)];
    // An address is unique within a list, so one list has no duplicates.
    const recipients =
      ids.length > 1
        ? `count(distinct m.email_hash) filter (where m.consent_state = 'mailable')`
        : `count(*) filter (where m.consent_state = 'mailable')`;
    const [found] = await rows<Record<'recipients' | 'mailed' | 'pending' | 'other' | 'suppressed', number>>(
      this.em,
      `select ${recipients}::int as recipients, (count(*) filter (where m.consent_state = 'mailable'))::int as mailed,
              (count(*) filter (where m.consent_state = 'pending'))::int as pending, (count(*) filter (where m.consent_state = 'other'))::int as other,
              (count(*) filter (where m.consent_state = 'suppressed'))::int as suppressed
       from (
         select c.email_hash, case when ${BLOCKED} then 'suppressed' when not c.confirmed then 'pending'
                                   when c.subscription_type <> ? then 'other' else 'mailable' end as consent_state
         from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null where c.email_list_id ${IN_IDS}
       ) m`,
      [user.id, CONTACT_TYPE_OF_SEND[sendType], ids],
    );
    const { recipients: recipientCount = 0, mailed = 0, pending = 0, other = 0, suppressed = 0 } = found ?? {};
    return { recipientCount, excluded: { pending, otherType: other, suppressed, duplicates: mailed - recipientCount } };
  }

  /**
   * SQL of the recipients, each address once; an own list takes precedence over the default list. Columns: contact_id
   * uuid, email_list_id uuid, email text, email_norm text, email_hash bytea, name text, masked boolean.
   */
  selectSql(lists: Pick<SendableList, 'id'>[], contactType: ContactType, ownerId: string): SqlPart {
    return {
      sql: `select distinct on (c.email_hash) c.id as contact_id, c.email_list_id, c.email, c.email_norm, c.email_hash, c.name, l.is_default as masked
            from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
            where c.email_list_id ${IN_IDS} and c.confirmed and c.subscription_type = ? and not ${BLOCKED}
            order by c.email_hash, l.is_default, c.created_at, c.id`,
      params: [lists.map(({ id }) => id), contactType, ownerId],
    };
  }

  /**
   * SQL of the next page of recipients in address order, with the columns of selectSql. Scans one range per list, so
   * that each page has the same cost. With `asOf`, contacts that were added or confirmed later, or could not be mailed
   * then, are excluded.
   */
  pageSql(
    listIds: readonly string[],
    contactType: ContactType,
    ownerId: string,
    page: { after: string; limit: number; asOf?: Date },
  ): SqlPart {
    const { after, limit, asOf } = page;
    const time = asOf && new Date(asOf).toISOString();
    const suits: SqlPart = {
      sql: `c.confirmed and c.subscription_type = ? and not ${MARKED}${time ? ' and c.created_at <= ?::timestamptz and coalesce(c.confirmed_at, c.created_at) <= ?::timestamptz' : ''}`,
      params: [contactType, ...(time ? [time, time] : [])],
    };
    const blocked: SqlPart = time
      ? { sql: SUPPRESSED_SINCE, params: [time, ownerId, time, ownerId, time, time, time] }
      : { sql: suppressedFor('?::uuid'), params: [ownerId] };
    // An address is unique within a list, so the rows of one list need no sorting and no deduplication.
    if (listIds.length === 1)
      return {
        sql: `select c.id as contact_id, c.email_list_id, c.email, c.email_norm, c.email_hash, c.name, l.is_default as masked
            from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
            where c.email_list_id = ? and c.email_norm > ? and ${suits.sql} and not ${blocked.sql} order by c.email_norm limit ?`,
        params: [listIds[0]!, after, ...suits.params, ...blocked.params, limit],
      };
    // Sort columns come first, so that PostgreSQL can read them without decoding the rest of the row.
    const one = `(select c.id, c.created_at, (select l.is_default from email_lists l where l.id = ?) as is_default, c.email_norm, c.email, c.email_hash, c.email_list_id, c.name
       from subscriptions c where c.email_list_id = ? and (select l.deleted_at is null from email_lists l where l.id = ?) and c.email_norm > ? and ${suits.sql} order by c.email_norm)`;
    // Fast path: if no suppression names the address, its first contact is used. Otherwise the query searches for the
    // first mailable contact.
    const named = namedBySuppression('f.email_hash', { sender: ownerId, since: time });
    const picked = (column: string): string => `case when t.named then (t.allowed).${column} else t.${column} end`;
    return {
      sql: `select ${picked('id')} as contact_id, ${picked('email_list_id')} as email_list_id, ${picked('email')} as email, t.email_norm, t.email_hash, ${picked('name')} as name,
              case when t.named then (select l.is_default from email_lists l where l.id = (t.allowed).email_list_id) else t.is_default end as masked
            from (
              select w.*, case when w.named then (
                select c from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
                where c.email_hash = w.email_hash and c.email_list_id ${IN_IDS} and ${suits.sql} and not ${blocked.sql} order by l.is_default, c.created_at, c.id limit 1) end as allowed
              from (
                select f.*, ${named.sql} as named
                from (select distinct on (u.email_norm) u.* from (${listIds.map(() => one).join(' union all ')}) u order by u.email_norm, u.is_default, u.created_at, u.id) f order by f.email_norm offset 0) w order by w.email_norm offset 0) t
            where not t.named or (t.allowed).id is not null order by t.email_norm limit ?`,
      params: [
        listIds,
        ...suits.params,
        ...blocked.params,
        ...named.params,
        ...listIds.flatMap((id) => [id, id, id, after, ...suits.params]),
        limit,
      ],
    };
  }

  /**
   * SQL condition: the profile is a recipient of a send to these lists, and its delivery row does not exist yet.
   * @param profileId column with the profile's id
   * @param page `after`: delivery rows exist up to this address; `asOf`: as for pageSql
   */
  profileSql(
    profileId: string,
    listIds: readonly string[],
    contactType: ContactType,
    page: { after: string; asOf: string },
  ): SqlPart {
    return {
      sql: `exists (select 1 from subscriptions c where c.profile_id = ${profileId} and c.email_list_id ${IN_IDS} and c.email_norm > ?::text and c.confirmed and c.suppressed is null
              and c.subscription_type = ? and c.created_at <= ?::timestamptz and coalesce(c.confirmed_at, c.created_at) <= ?::timestamptz)`,
      params: [listIds, page.after, contactType, page.asOf, page.asOf],
    };
  }

  /**
   * SQL of the consent check right before mailing, with one `RecheckedContact` row per existing contact.
   * @param which condition on the contact's id; its parameters follow those of the returned part
   * @param fields fields whose values the same statement reads
   */
  recheckSql(which: string, ownerId: string, fields: readonly ContactField[] = []): SqlPart {
    const values = fieldColumnsSql(fields);
    return {
      sql: `select c.id as "contactId", c.email, case when l.is_default then c.email_hash end as network_hash, c.name, c.unsubscribe_token, c.confirmed, c.suppressed, c.subscription_type, c.introduction_due, l.name as list_name, l.is_default,
              'a:' || encode(substring(c.email_hash for 9), 'base64') as consent_token,
              case when not ${suspendedSql('?::uuid')} then ${BLOCKED} end as blocked${values.sql}
            from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null ${profileJoin(fields)}
            where c.id ${which}`,
      params: [ownerId, ownerId, ...values.params],
    };
  }

  /**
   * Interprets the rows of `recheckSql`: the contacts that this owner may still mail, and the reasons for the others.
   * Nobody may be mailed while the owner's account is suspended.
   */
  rechecked(
    found: readonly RecheckedContact[],
    contactIds: readonly string[],
    ownerId: string,
    contactType?: ContactType,
    fields: readonly ContactField[] = [],
  ): Recheck {
    const result: Recheck = { mailable: new Map(), skipped: new Map(contactIds.map((id) => [id, 'deleted' as const])) };
    const columns = fields.length > 0 ? fieldColumns(fields) : null;
    for (const row of found) {
      const why = whyNot(row, contactType);
      if (why) {
        result.skipped.set(row.contactId, why);
        continue;
      }
      result.skipped.delete(row.contactId);
      result.mailable.set(row.contactId, mailableOf(row, ownerId, columns));
    }
    return result;
  }

  /**
   * SQL condition: the owner may still mail the contact whose id is in this column. Unlike `rechecked`, it does not
   * check whether the owner's account is suspended.
   */
  mailableSql(contactId: string, contactType: ContactType, ownerId: string): SqlPart {
    return {
      sql: `exists (select 1 from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
              where c.id = ${contactId} and c.confirmed and c.subscription_type = ? and not ${BLOCKED})`,
      params: [contactType, ownerId],
    };
  }

  /** Records that these contacts received the introduction. */
  async introduced(contactIds: string[], em: EntityManager = this.em): Promise<void> {
    await rows(em, `update subscriptions set introduction_due = false where introduction_due and id ${IN_IDS}`, [
      contactIds,
    ]);
  }
}

/** State of a contact right before mailing; see `recheckSql`. The row also has the values of the requested fields. */
export interface RecheckedContact {
  contactId: string;
  email: string;
  network_hash: Buffer | null;
  name: string | null;
  unsubscribe_token: string;
  confirmed: boolean;
  suppressed: 'unsubscribed' | 'bounced' | 'complained' | null;
  subscription_type: ContactType;
  introduction_due: boolean;
  list_name: string;
  is_default: boolean;
  consent_token: string;
  /** Null if the owner's account is suspended. */
  blocked: boolean | null;
}

function whyNot(
  { blocked, suppressed, confirmed, subscription_type: type }: RecheckedContact,
  contactType: ContactType | undefined,
) {
  if (blocked === null) return 'suspended';
  if (blocked) return suppressed ?? 'unsubscribed';
  return confirmed && (!contactType || type === contactType) ? null : 'unconfirmed';
}

/** The unsubscribe link of mail to the default list names the sender; for other lists the owner is the sender. */
const mailableOf = (row: RecheckedContact, senderId: string, columns: FieldColumns | null): MailableContact => ({
  contactId: row.contactId,
  email: row.email,
  name: row.name,
  unsubscribeToken: row.is_default ? networkToken(row.unsubscribe_token, senderId) : row.unsubscribe_token,
  listName: row.list_name,
  networkHash: row.network_hash,
  introductionDue: row.introduction_due,
  consentToken: row.consent_token,
  ...(columns && { values: new RowValues(columns, row) }),
});
