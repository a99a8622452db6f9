import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { CONTACT_TYPE_OF_SEND, type ContactType } from '../../shared/words/contact-type.js';
import type { SendType } from '../../shared/words/send-type.js';
import { suspendedSql } from '../auth/index.js';
import { namedBySuppression, type SqlPart, SUPPRESSED_SINCE, suppressedFor } from './suppression-sql.js';
import { networkToken } from './unsubscribe-token.js';

/** Who a send would reach, and who it leaves out and why (decisions.md D19). */
export interface AudiencePreview {
  recipientCount: number;
  excluded: { pending: number; otherType: number; suppressed: number; duplicates: number };
}

/** A contact that may still be mailed when its turn has come. */
export interface MailableContact {
  contactId: string;
  /** As typed: what the message is addressed to. */
  email: string;
  name: string | null;
  unsubscribeToken: string;
  listName: string;
  /** On the shared network, whose daily cap then counts: SHA-256 of the normalised address. */
  networkHash: Buffer | null;
  /** The first message to an attested contact says who added it (decisions.md D46). */
  introductionDue: boolean;
  /** What notifications of changed consent call this address. */
  consentToken: string;
}

export interface Recheck {
  mailable: Map<string, MailableContact>;
  /** Contact id → why it is left out now. */
  skipped: Map<string, 'unsubscribed' | 'bounced' | 'complained' | 'unconfirmed' | 'deleted' | 'suspended'>;
}

/** A chosen list, as findSendable of Lists hands it out. */
export interface SendableList {
  id: string;
  name: string;
  isDefault: boolean;
  contactCount: number;
  confirmedCount: number;
}

const LISTS = `(select value::uuid from jsonb_array_elements_text(?::jsonb))`;
/** A mark that a person's own word left; a bounce's lapses with its suppression. */
const MARKED = `coalesce(c.suppressed in ('unsubscribed', 'complained'), false)`;
const BLOCKED = `(${MARKED} or ${suppressedFor('?::uuid')})`;

/** The resolved set of a send: consent is a condition of its query, not a filter after it. */
@Injectable()
export class Audience {
  constructor(private readonly em: EntityManager) {}

  /** Counts what a send to these lists would reach; the lists must come from Lists.findSendable. */
  async preview(user: { id: string }, listIds: string[], sendType: SendType): Promise<AudiencePreview> {
    const ids = [...new Set(listIds)];
    // An address stands on a list once, so one list has no duplicates to look for.
    const recipients = ids.length > 1 ? `count(distinct m.email_hash) filter (where m.fate = 'mailed')` : `count(*) filter (where m.fate = 'mailed')`;
    const [found] = await rows<Record<'recipients' | 'mailed' | 'pending' | 'other' | 'suppressed', number>>(
      this.em,
      `select ${recipients}::int as recipients, (count(*) filter (where m.fate = 'mailed'))::int as mailed,
              (count(*) filter (where m.fate = 'pending'))::int as pending, (count(*) filter (where m.fate = 'other'))::int as other,
              (count(*) filter (where m.fate = 'suppressed'))::int as suppressed
       from (
         select c.email_hash, case when ${BLOCKED} then 'suppressed' when not c.confirmed then 'pending'
                                   when c.subscription_type <> ? then 'other' else 'mailed' end as fate
         from subscriptions c join email_lists l on l.id = c.email_list_id where c.email_list_id in ${LISTS}
       ) m`,
      [user.id, CONTACT_TYPE_OF_SEND[sendType], JSON.stringify(ids)],
    );
    const { recipients: recipientCount = 0, mailed = 0, pending = 0, other = 0, suppressed = 0 } = found ?? {};
    return { recipientCount, excluded: { pending, otherType: other, suppressed, duplicates: mailed - recipientCount } };
  }

  /**
   * The recipients, each address once (own list before the default one), with the columns
   * contact_id uuid, email_list_id uuid, email text, email_norm text, email_hash bytea, name text, masked boolean.
   */
  selectSql(lists: Pick<SendableList, 'id'>[], contactType: ContactType, ownerId: string): SqlPart {
    return {
      sql: `select distinct on (c.email_hash) c.id as contact_id, c.email_list_id, c.email, c.email_norm, c.email_hash, c.name, l.is_default as masked
            from subscriptions c join email_lists l on l.id = c.email_list_id
            where c.email_list_id in ${LISTS} and c.confirmed and c.subscription_type = ? and not ${BLOCKED}
            order by c.email_hash, l.is_default, c.created_at, c.id`,
      params: [JSON.stringify(lists.map((list) => list.id)), contactType, ownerId],
    };
  }

  /**
   * The next recipients in the order of their addresses, with the columns of selectSql; one range scan per list, so that a page
   * costs the same wherever it stands. `asOf`: contacts that came or confirmed later are left out, and those who were not to be mailed then.
   */
  pageSql(listIds: readonly string[], contactType: ContactType, ownerId: string, page: { after: string; limit: number; asOf?: Date }): SqlPart {
    const { after, limit, asOf } = page;
    const time = asOf && new Date(asOf).toISOString();
    const suits: SqlPart = {
      sql: `c.confirmed and c.subscription_type = ? and not ${MARKED}${time ? ' and c.created_at <= ?::timestamptz and coalesce(c.confirmed_at, c.created_at) <= ?::timestamptz' : ''}`,
      params: [contactType, ...(time ? [time, time] : [])],
    };
    const blocked: SqlPart = time ? { sql: SUPPRESSED_SINCE, params: [time, ownerId, time, ownerId, time, time, time] } : { sql: suppressedFor('?::uuid'), params: [ownerId] };
    // An address stands on a list once, so one list has nothing to sort or to leave out.
    if (listIds.length === 1) return {
      sql: `select c.id as contact_id, c.email_list_id, c.email, c.email_norm, c.email_hash, c.name, l.is_default as masked
            from subscriptions c join email_lists l on l.id = c.email_list_id
            where c.email_list_id = ? and c.email_norm > ? and ${suits.sql} and not ${blocked.sql} order by c.email_norm limit ?`,
      params: [listIds[0]!, after, ...suits.params, ...blocked.params, limit],
    };
    // What is sorted by stands first, where its place in a row needs no look at the rest.
    const one = `(select c.id, c.created_at, (select l.is_default from email_lists l where l.id = ?) as is_default, c.email_norm, c.email, c.email_hash, c.email_list_id, c.name
       from subscriptions c where c.email_list_id = ? and c.email_norm > ? and ${suits.sql} order by c.email_norm)`;
    // Most addresses no suppression names: of these the first contact is it. Of the others the first that may be mailed is looked for.
    const named = namedBySuppression('f.email_hash', { sender: ownerId, since: time });
    const picked = (column: string): string => `case when t.named then (t.allowed).${column} else t.${column} end`;
    return {
      sql: `select ${picked('id')} as contact_id, ${picked('email_list_id')} as email_list_id, ${picked('email')} as email, t.email_norm, t.email_hash, ${picked('name')} as name,
              case when t.named then (select l.is_default from email_lists l where l.id = (t.allowed).email_list_id) else t.is_default end as masked
            from (
              select w.*, case when w.named then (
                select c from subscriptions c join email_lists l on l.id = c.email_list_id
                where c.email_hash = w.email_hash and c.email_list_id in ${LISTS} and ${suits.sql} and not ${blocked.sql} order by l.is_default, c.created_at, c.id limit 1) end as allowed
              from (
                select f.*, ${named.sql} as named
                from (select distinct on (u.email_norm) u.* from (${listIds.map(() => one).join(' union all ')}) u order by u.email_norm, u.is_default, u.created_at, u.id) f order by f.email_norm offset 0) w order by w.email_norm offset 0) t
            where not t.named or (t.allowed).id is not null order by t.email_norm limit ?`,
      params: [JSON.stringify(listIds), ...suits.params, ...blocked.params, ...named.params, ...listIds.flatMap((id) => [id, id, after, ...suits.params]), limit],
    };
  }

  /** Looks again just before mailing: a query with a row `RecheckedContact` for each contact that stands. @param which compares the contact's id; parameters that it has follow the part's own */
  recheckSql(which: string, ownerId: string): SqlPart {
    return {
      sql: `select c.id as "contactId", c.email, case when l.is_default then c.email_hash end as network_hash, c.name, c.unsubscribe_token, c.confirmed, c.suppressed, c.subscription_type, c.introduction_due, l.name as list_name, l.is_default,
              'a:' || encode(substring(c.email_hash for 9), 'base64') as consent_token,
              case when not ${suspendedSql('?::uuid')} then ${BLOCKED} end as blocked
            from subscriptions c join email_lists l on l.id = c.email_list_id
            where c.id ${which}`,
      params: [ownerId, ownerId],
    };
  }

  /** The answer to `recheckSql`: who may still be mailed by this owner, if the account stands, and why the others may not. */
  rechecked(found: readonly RecheckedContact[], contactIds: readonly string[], ownerId: string, contactType?: ContactType): Recheck {
    const result: Recheck = { mailable: new Map(), skipped: new Map(contactIds.map((id) => [id, 'deleted' as const])) };
    for (const row of found) {
      const why = whyNot(row, contactType);
      if (why) {
        result.skipped.set(row.contactId, why);
        continue;
      }
      result.skipped.delete(row.contactId);
      result.mailable.set(row.contactId, mailableOf(row, ownerId));
    }
    return result;
  }

  /** What `recheck` asks of one contact, as a condition on the column that names it. */
  mailableSql(contactId: string, contactType: ContactType, ownerId: string): SqlPart {
    return {
      sql: `exists (select 1 from subscriptions c join email_lists l on l.id = c.email_list_id
              where c.id = ${contactId} and c.confirmed and c.subscription_type = ? and not ${BLOCKED})`,
      params: [contactType, ownerId],
    };
  }

  /** Notes that these contacts were sent the introduction. */
  async introduced(contactIds: string[], em: EntityManager = this.em): Promise<void> {
    await rows(em, `update subscriptions set introduction_due = false where introduction_due and id in ${LISTS}`, [JSON.stringify(contactIds)]);
  }
}

/** What is known of a contact whose turn has come; see `recheckSql`. */
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
  /** Null: the owner's account is suspended. */
  blocked: boolean | null;
}

function whyNot({ blocked, suppressed, confirmed, subscription_type: type }: RecheckedContact, contactType: ContactType | undefined) {
  if (blocked === null) return 'suspended';
  if (blocked) return suppressed ?? 'unsubscribed';
  return confirmed && (!contactType || type === contactType) ? null : 'unconfirmed';
}

/** A mail to the network carries a link that says who sent it; of other lists the owner is the sender. */
const mailableOf = (row: RecheckedContact, senderId: string): MailableContact => ({
  contactId: row.contactId,
  email: row.email,
  name: row.name,
  unsubscribeToken: row.is_default ? networkToken(row.unsubscribe_token, senderId) : row.unsubscribe_token,
  listName: row.list_name,
  networkHash: row.network_hash,
  introductionDue: row.introduction_due,
  consentToken: row.consent_token,
});
