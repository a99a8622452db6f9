import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import type { TagValues } from '../../../shared/merge-tags/values.js';
import type { ContactType } from '../../../shared/enums.js';
import { MARKED } from '../audience.service.js';
import { suppressedFor } from '../unsubscribe/suppression-sql.js';
import { addressSearch } from './contact-search.service.js';
import {
  type ContactField,
  contactFieldsSql,
  contactFieldSql,
  ContactValues,
  profileJoin,
} from './contact-field-sql.js';
import { EmptyFieldRecipients } from './empty-field-recipients.js';

/** Selects the recipients of a planned send to page through. They are in the order of their addresses. */
export interface RecipientPageQuery {
  ownerId: string;
  /** Own lists only, because members of the shared network are never shown. */
  lists: readonly { id: string; contactCount: number }[];
  /**
   * Conditions over profiles `p` of the account. A profile that meets any of them is a recipient, by its membership of
   * one of the `reachable` lists.
   */
  segments?: readonly SqlPart[];
  /** All own lists; given if there are segments. */
  reachable?: readonly { id: string; contactCount: number }[];
  contactType: ContactType;
  /** Fields whose values the message contains. */
  fields: readonly ContactField[];
  /** Text that the recipient's address must contain. */
  search?: string;
  /** Only recipients without a value for at least one of the fields. */
  onlyEmpty?: boolean;
}

/** A recipient for display, with current values. */
export interface PreviewRecipient {
  contactId: string;
  email: string;
  name: string | null;
  listName: string;
  values: TagValues;
}

/**
 * A recipient with its position: the address from which the next step continues, and whether there are recipients after
 * and before it.
 */
export interface RecipientStep extends PreviewRecipient {
  at: string;
  hasNext: boolean;
  hasPrevious: boolean;
}

type Direction = 'next' | 'previous';
interface ContactRow {
  contactId: string;
  email: string;
  name: string | null;
  listName: string;
  fieldValues: (string | null)[];
}

/**
 * Maximum number of addresses that one step tries. If an address is on several lists, one of its contacts may have an
 * empty field while the contact that the send mails has a value. Such an address is skipped.
 */
const MAX_PAGES_READ = 20;

/** Pages through the recipients of a send before it is sent. */
@Injectable()
export class RecipientPager {
  private readonly empties = new EmptyFieldRecipients();

  constructor(private readonly em: EntityManager) {}

  /**
   * The recipient next to an address.
   * @param from the address of the last step; null: the first recipient
   * @returns null if there is none, or MAX_PAGES_READ addresses were tried in vain
   */
  async step(query: RecipientPageQuery, from: string | null, way: Direction): Promise<RecipientStep | null> {
    if (query.lists.length === 0 && !query.segments?.length) return null;
    let at = from;
    for (let tries = 0; tries < MAX_PAGES_READ; tries++) {
      at = await this.neighbour(query, at, way);
      if (at === null) return null;
      const contact = await this.contactAt(query, at);
      if (!contact || (query.onlyEmpty && query.fields.every(({ tag }) => contact.values.has(tag)))) continue;
      const [next, previous] = await Promise.all([
        this.neighbour(query, at, 'next'),
        this.neighbour(query, at, 'previous'),
      ]);
      return { ...contact, at, hasNext: next !== null, hasPrevious: previous !== null };
    }
    return null;
  }

  /** One contact of a list of this owner. @returns null if the owner has no such contact */
  async contact(ownerId: string, contactId: string, fields: readonly ContactField[]): Promise<PreviewRecipient | null> {
    const values = contactFieldsSql(fields);
    const [found] = await rows<ContactRow>(
      this.em.fork(),
      `select ${COLUMNS}, ${values.sql} as "fieldValues" from subscriptions c join email_lists l on l.id = c.email_list_id ${profileJoin(fields)}
       where c.id = ? and l.owner_id = ?`,
      [...values.params, contactId, ownerId],
    );
    return found ? shown(found, fields) : null;
  }

  private neighbour(query: RecipientPageQuery, from: string | null, way: Direction): Promise<string | null> {
    const read = (start: string | null, to: Direction, limit: number): Promise<string[]> =>
      this.addresses(query, start, to, limit);
    return query.onlyEmpty
      ? this.empties.neighbour(JSON.stringify(query), from, way, read)
      : read(from, way, 1).then(([first]) => first ?? null);
  }

  /** The next addresses over all lists and segments. Each list is read along its index, which is sorted by address. */
  private async addresses(
    query: RecipientPageQuery,
    from: string | null,
    way: Direction,
    limit: number,
  ): Promise<string[]> {
    const page = { from, way, limit };
    const parts = [
      ...(query.lists.length > 0 ? [ofLists(query, page)] : []),
      ...(query.segments?.length ? [ofSegments(query, query.segments, page)] : []),
    ];
    const found = await rows<{ address: string }>(
      this.em.fork(),
      `select distinct a.address from (${parts.map(({ sql }) => `(${sql})`).join(' union all ')}) a order by 1 ${ORDER[way]} limit ?`,
      [...parts.flatMap(({ params }) => params), limit],
    );
    return found.map(({ address }) => address);
  }

  /**
   * The contact that the send mails at an address: the oldest mailable one, chosen lists first.
   * @returns null if none of the address's contacts can be mailed
   */
  private async contactAt(query: RecipientPageQuery, address: string): Promise<PreviewRecipient | null> {
    const values = contactFieldsSql(query.fields);
    const mailable = mailableSql(query);
    const [found] = await rows<ContactRow>(
      this.em.fork(),
      `select ${COLUMNS}, ${values.sql} as "fieldValues"
       from (select value::uuid as id from jsonb_array_elements_text(?::jsonb)) chosen
       join email_lists l on l.id = chosen.id and l.deleted_at is null
       cross join lateral (
         select c.* from subscriptions c where c.email_list_id = l.id and c.email_norm = ? and ${mailable.sql} limit 1
       ) c ${profileJoin(query.fields)} order by l.id <> all (?::uuid[]), c.created_at, c.id limit 1`,
      [
        ...values.params,
        JSON.stringify([...query.lists, ...(query.reachable ?? [])].map(({ id }) => id)),
        address,
        ...mailable.params,
        sqlArray(query.lists.map(({ id }) => id)),
      ],
    );
    return found ? shown(found, query.fields) : null;
  }
}

const ORDER = { next: 'asc', previous: 'desc' } as const;
const OPERATOR_OF_DIRECTION = { next: '>', previous: '<' } as const;

interface AddressPage {
  from: string | null;
  way: Direction;
  limit: number;
}

function ofLists(query: RecipientPageQuery, { from, way, limit }: AddressPage): SqlPart {
  const suits = suitsSql(query, query.lists);
  return {
    sql: `select c.email_norm as address
       from (select value::uuid as id from jsonb_array_elements_text(?::jsonb)) chosen
       join email_lists l on l.id = chosen.id and l.deleted_at is null
       cross join lateral (
         select c.email_norm from subscriptions c ${query.onlyEmpty ? profileJoin(query.fields) : ''}
         where c.email_list_id = l.id${from === null ? '' : ` and c.email_norm ${OPERATOR_OF_DIRECTION[way]} ?`} and ${suits.sql}
         order by c.email_norm ${ORDER[way]} limit ?
       ) c order by 1 ${ORDER[way]} limit ?`,
    params: [
      JSON.stringify(query.lists.map(({ id }) => id)),
      ...(from === null ? [] : [from]),
      ...suits.params,
      limit,
      limit,
    ],
  };
}

/** SQL of the addresses of the segments' members, in the order of addresses. */
function ofSegments(
  query: RecipientPageQuery,
  segments: readonly SqlPart[],
  { from, way, limit }: AddressPage,
): SqlPart {
  const suits = suitsSql(query, query.reachable ?? []);
  return {
    sql: `select p.email_norm as address from contact_profiles p
       where p.owner_id = ?::uuid and (${segments.map(({ sql }) => `(${sql})`).join(' or ')})${from === null ? '' : ` and p.email_norm collate "C" ${OPERATOR_OF_DIRECTION[way]} ?`}
         and exists (select 1 from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
           where c.profile_id = p.id and l.owner_id = ?::uuid and not l.is_default and ${suits.sql})
       order by p.email_norm collate "C" ${ORDER[way]} limit ?`,
    params: [
      query.ownerId,
      ...segments.flatMap(({ params }) => params),
      ...(from === null ? [] : [from]),
      query.ownerId,
      ...suits.params,
      limit,
    ],
  };
}

/** SQL condition on a membership `c` of a list `l`: the send reaches it, and it matches the search. */
function suitsSql(query: RecipientPageQuery, lists: readonly { contactCount: number }[]): SqlPart {
  const search = query.search?.trim();
  const contacts = lists.reduce((most, list) => Math.max(most, list.contactCount), 0);
  return allOf([
    mailableSql(query),
    search && ['c.email_norm like ?', addressSearch(search, contacts)],
    query.onlyEmpty && emptySql(query.fields),
  ]);
}

const COLUMNS = `c.id as "contactId", c.email, c.name, l.name as "listName"`;

const shown = ({ fieldValues, ...contact }: ContactRow, fields: readonly ContactField[]): PreviewRecipient => ({
  ...contact,
  values: new ContactValues(fields, fieldValues),
});

const mailableSql = ({ contactType, ownerId }: RecipientPageQuery): SqlPart => ({
  sql: `c.confirmed and c.subscription_type = ? and not ${MARKED} and not ${suppressedFor('?::uuid')}`,
  params: [contactType, ownerId],
});

const emptySql = (fields: readonly ContactField[]): SqlPart => {
  const parts = fields.map(contactFieldSql);
  return {
    sql: `(${parts.map(({ sql }) => `coalesce(${sql}, '') = ''`).join(' or ') || 'false'})`,
    params: parts.flatMap(({ params }) => params),
  };
};
