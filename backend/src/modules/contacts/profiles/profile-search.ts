import type { EntityManager } from '@mikro-orm/postgresql';
import { contains, startsWith } from '../../../shared/database/queries/keyset.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import type { ProfileConsent } from '../contacts.constants.js';
import type { MembershipSource } from './memberships.registry.js';

/** Criteria by which the contacts page is filtered. */
export interface ProfileCriteria {
  search?: string;
  list?: string;
  tag?: number;
  consent?: ProfileConsent;
  domain?: string;
  /** Import that added the contact. */
  import?: string;
  /** Id of a saved segment. */
  segment?: string;
}

/** Up to this many contacts a substring search reads all addresses within milliseconds. */
const SCANNED_CONTACTS = 20_000;
/** Matches texts that contain a trigram, which the index needs to find them. */
const TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** SQL expressions as the indexes of contact_profiles have them. */
export const NAME_KEY = `lower(coalesce(p.last_name, p.first_name, '')) collate "C"`;
export const COMPANY_KEY = `lower(coalesce(p.company, '')) collate "C"`;
const FIRST_NAME_KEY = `lower(p.first_name) collate "C"`;

/**
 * SQL condition over profiles `p` of one account.
 * @param isLarge whether the account has more contacts than a search may read whole
 * @param segment the condition of the criteria's segment
 */
export function profileCondition(
  ownerId: string,
  criteria: ProfileCriteria,
  lists: MembershipSource,
  isLarge: boolean,
  segment: SqlPart | null,
): SqlPart {
  const text = criteria.search?.trim().toLowerCase();
  const parts: SqlPart[] = [
    { sql: 'p.owner_id = ?', params: [ownerId] },
    ...(criteria.domain ? [{ sql: 'p.company_domain = lower(?)', params: [criteria.domain] }] : []),
    ...(criteria.import ? [{ sql: 'p.import_id = ?::uuid', params: [criteria.import] }] : []),
    // The first condition is the index's own, without which the index is not used.
    ...(criteria.tag === undefined
      ? []
      : [{ sql: `p.tag_ids <> '{}' and p.tag_ids @> array[?::int]`, params: [criteria.tag] }]),
    ...(criteria.list ? [lists.onList(criteria.list)] : []),
    ...(criteria.consent ? [lists.consentIs(ownerId, criteria.consent)] : []),
    ...(segment ? [segment] : []),
    ...(text ? [isLarge ? indexedSearch(ownerId, text, lists) : scanningSearch(text)] : []),
  ];
  return { sql: parts.map(({ sql }) => sql).join(' and '), params: parts.flatMap(({ params }) => params) };
}

function scanningSearch(text: string): SqlPart {
  const start = startsWith(text);
  return {
    sql: `(p.email_norm like ? or ${NAME_KEY} like ? or ${FIRST_NAME_KEY} like ? or ${COMPANY_KEY} like ?)`,
    params: [contains(text), start, start, start],
  };
}

/** Each part of the search uses an index of its own. */
function indexedSearch(ownerId: string, text: string, lists: MembershipSource): SqlPart {
  const start = startsWith(text);
  const own = (key: string): SqlPart => ({
    sql: `select p.id from contact_profiles p where p.owner_id = ? and ${key} like ?`,
    params: [ownerId, start],
  });
  const parts = [
    own('p.email_norm collate "C"'),
    own(NAME_KEY),
    own(FIRST_NAME_KEY),
    own(COMPANY_KEY),
    ...(TRIGRAM.test(text) ? [lists.addressContains(ownerId, text)] : []),
  ];
  return {
    sql: `p.id in (${parts.map(({ sql }) => sql).join(' union all ')})`,
    params: parts.flatMap(({ params }) => params),
  };
}

/** Whether an account has more contacts than a search may read whole. */
export async function hasManyProfiles(em: EntityManager, ownerId: string): Promise<boolean> {
  const [found] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from (select 1 from contact_profiles where owner_id = ? limit ${SCANNED_CONTACTS + 1}) p`,
    [ownerId],
  );
  return (found?.n ?? 0) > SCANNED_CONTACTS;
}
