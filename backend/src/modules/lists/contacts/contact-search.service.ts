import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { FoundContactDto } from './contact-search.dto.js';
import { IN_TABLE } from '../unsubscribe/suppression-sql.js';
import { contains, startsWith } from '../../../shared/database/queries/keyset.js';
import { hasTrigram, MAX_SCANNED_ROWS } from '../../../shared/database/queries/substring-search.js';

/**
 * LIKE pattern for a search in `email_norm` (lower case). With many contacts, a text too short for the trigram index
 * only matches the beginning of addresses, because a substring search would read all of them.
 * @param contacts number of contacts that are searched
 */
export function addressSearch(search: string, contacts: number): string {
  const text = search.trim().toLowerCase();
  return contacts > MAX_SCANNED_ROWS && !hasTrigram(text) ? startsWith(text) : contains(text);
}

const MAX_RESULTS = 6;

/** Finds contacts by part of their address over all lists of an account. */
@Injectable()
export class ContactSearch {
  constructor(private readonly em: EntityManager) {}

  /** Finds at most six contacts, in address order. */
  async find(userId: string, search: string): Promise<FoundContactDto[]> {
    if (!search.trim()) return [];
    const [held] = await rows<{ contacts: number }>(
      this.em.fork(),
      'select coalesce(sum(contact_count), 0)::int as contacts from email_lists where owner_id = ? and deleted_at is null',
      [userId],
    );
    if (!held || held.contacts === 0) return [];
    return rows<FoundContactDto>(this.em.fork(), FIND, [
      userId,
      addressSearch(search, held.contacts),
      MAX_RESULTS,
      MAX_RESULTS,
    ]);
  }
}

/** Takes the first few matches of each list, then the first of these. */
const FIND = `
  select c.id, c.email, c.name, l.id as "listId", l.name as "listName"
  from (select ?::uuid as owner_id, ?::text as pattern, ?::int as shown) p
  join email_lists l on l.owner_id = p.owner_id and l.deleted_at is null
  cross join lateral (
    select c.id, c.email, c.email_norm, c.name from subscriptions c
    where c.email_list_id = l.id and ${IN_TABLE} and c.email_norm like p.pattern order by c.email_norm limit p.shown
  ) c
  order by c.email_norm, l.name, l.id limit ?`;
