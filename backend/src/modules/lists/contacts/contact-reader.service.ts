import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { Keyset, type KeysetRow, type SortKey } from '../../../shared/database/queries/keyset.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { addressSearch } from './contact-search.service.js';
import type { Page, RequestUser } from '../../../shared/http/index.js';
import type { ContactType, SuppressionReason } from '../../../shared/enums.js';
import type { ContactDto, ContactQuery } from './contact.dto.js';
import type { EmailList } from '../entities/email-list.entity.js';
import { ListAccess } from '../my-lists/list-access.service.js';
import { HAS_UNSUBSCRIBED, IN_TABLE } from '../unsubscribe/suppression-sql.js';

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'c.created_at', type: 'timestamptz' },
  email: { expression: 'c.email_norm', type: 'text' },
  name: { expression: `coalesce(c.name, '')`, type: 'text' },
};
/** Size of the first chunk, which is read before the response begins; later chunks are read while it streams. */
const CONTACTS_OF_FIRST_CHUNK = 100;
const CONTACTS_PER_CHUNK = 1000;

interface ContactRow extends KeysetRow {
  id: string;
  email: string;
  name: string | null;
  subscription_type: ContactType;
  confirmed: boolean;
  suppressed: SuppressionReason | null;
  created_at: string;
  profile_id: string | null;
}

type Part = Omit<Page<ContactDto>, 'total' | 'isTotalCapped'>;

export interface CsvDownload {
  filename: string;
  header: string[];
  lines: AsyncIterable<(string | null)[]>;
}

/** Reads a list's contacts in pages of constant cost, however large the list is. */
@Injectable()
export class ContactReader {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
  ) {}

  async page(user: RequestUser, listId: string, query: ContactQuery): Promise<Page<ContactDto>> {
    const list = await this.access.require(user, listId);
    const part = await this.part(list, query);
    // A search whose results fit on the first page needs no separate count.
    const isAll = query.search?.trim() && !query.cursor && !part.next;
    return { ...part, ...(isAll ? { total: part.rows.length } : await this.total(list, query)) };
  }

  /** Streams the matching contacts, read page by page, so that a slow client holds no database connection. */
  async all(user: RequestUser, listId: string, query: ContactQuery): Promise<AsyncIterable<ContactDto>> {
    return this.whole(await this.access.require(user, listId), query);
  }

  async exportOf(user: RequestUser, listId: string): Promise<CsvDownload> {
    const list = await this.access.require(user, listId);
    const contacts = await this.whole(list, {});
    const lines = (async function* () {
      for await (const { email, name, subscriptionType, confirmed, suppressed, createdAt } of contacts) {
        yield [
          email,
          name,
          subscriptionType,
          suppressed ?? (confirmed ? 'confirmed' : 'pending'),
          createdAt.toISOString(),
        ];
      }
    })();
    return { filename: `${list.slug}.csv`, header: ['email', 'name', 'subscriptionType', 'status', 'addedAt'], lines };
  }

  private async whole(list: EmailList, query: ContactQuery): Promise<AsyncIterable<ContactDto>> {
    return this.parts(list, query, await this.part(list, { ...query, limit: CONTACTS_OF_FIRST_CHUNK }));
  }

  private async *parts(list: EmailList, query: ContactQuery, first: Part): AsyncGenerator<ContactDto> {
    for (
      let part = first;
      ;
      part = await this.part(list, { ...query, limit: CONTACTS_PER_CHUNK, cursor: part.next! })
    ) {
      yield* part.rows;
      if (!part.next) return;
    }
  }

  private async part(list: EmailList, query: ContactQuery): Promise<Part> {
    const limit = query.limit ?? CONTACTS_PER_CHUNK;
    const keyset = new Keyset(SORTS, query.sort ?? '-createdAt', query.cursor, 'c.id');
    const { sql: condition, params } = filter(list, query);
    const found = await rows<ContactRow>(
      this.em,
      `select ${keyset.columns}, c.id, c.email, c.name, c.subscription_type, c.confirmed, c.suppressed, c.created_at, c.profile_id
       from subscriptions c where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    const page = keyset.page(found, limit);
    return { ...page, rows: page.rows.map(contactView) };
  }

  /**
   * Counts the matching contacts. Without a search, the total comes from stored counters; otherwise the rows are
   * counted, up to a limit.
   */
  private async total(
    list: EmailList,
    query: ContactQuery,
  ): Promise<Pick<Page<ContactDto>, 'total' | 'isTotalCapped'>> {
    if (!query.search?.trim()) {
      if (query.status === undefined) return { total: list.contactCount };
      if (query.status === 'confirmed') return { total: list.confirmedCount };
      if (query.status === 'pending') return { total: list.contactCount - list.confirmedCount };
    }
    const { sql: condition, params } = filter(list, query);
    return countMatches(this.em, `subscriptions c where ${condition}`, params);
  }
}

const OF_STATUS = {
  confirmed: `c.confirmed and ${IN_TABLE}`,
  pending: `not c.confirmed and ${IN_TABLE}`,
  unsubscribed: HAS_UNSUBSCRIBED,
} as const;

function filter(list: EmailList, { search, status }: ContactQuery): SqlPart {
  return allOf([
    ['c.email_list_id = ?', list.id],
    [status ? OF_STATUS[status] : IN_TABLE],
    search?.trim() && ['c.email_norm like ?', addressSearch(search, list.contactCount)],
  ]);
}

/** The columns of a contact that contactView reads. */
export const CONTACT_COLUMNS = 'id, email, name, subscription_type, confirmed, suppressed, created_at, profile_id';
export type ShownContact = Omit<ContactRow, keyof KeysetRow>;

/** A contact as the API shows it: without token, evidence and hash. */
export function contactView(row: ShownContact): ContactDto {
  const { id, email, name, subscription_type: subscriptionType, confirmed, suppressed, created_at: createdAt } = row;
  const { profile_id: profileId } = row;
  return { id, email, name, subscriptionType, confirmed, suppressed, createdAt: new Date(createdAt), profileId };
}
