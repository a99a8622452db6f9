import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Keyset, type KeysetRow, type SortKey, withoutKeys } from '../../../shared/database/queries/keyset.js';
import { COUNT_LIMIT, type Matches, countMatches } from '../../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { MAX_SCANNED_ROWS } from '../../../shared/database/queries/substring-search.js';
import type { Page } from '../../../shared/http/index.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { SHOWN_FIELDS } from '../bulk/cleanup.js';
import { RuleReader } from '../do-not-send/rule-reader.service.js';
import { contactNotFound, tagNotFound } from '../contacts.errors.js';
import type { ProfileDetailDto, ProfileDto } from './profile.dto.js';
import type { ProfileQuery } from './profile-query.dto.js';
import { SegmentConditions } from '../segments/segment-conditions.service.js';
import { Memberships } from './memberships.registry.js';
import {
  COMPANY_KEY,
  matchesInOrder,
  NAME_KEY,
  profileCondition,
  type ProfileCriteria,
  searchSql,
  searchText,
} from './profile-search.js';

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'p.created_at', type: 'timestamptz' },
  name: { expression: NAME_KEY, type: 'text' },
  company: { expression: COMPANY_KEY, type: 'text' },
  lastMailedAt: { expression: `coalesce(a.last_mailed_at, timestamptz '0001-01-01 00:00:00Z')`, type: 'timestamptz' },
};

type ProfileRow = Omit<ProfileDto, 'createdAt' | 'lastMailedAt'> & {
  createdAt: string | Date;
  lastMailedAt: string | Date | null;
};
type KeyedRow = ProfileRow & KeysetRow;
/**
 * SQL of profiles with their activity.
 * @param profiles SQL of the table of profiles
 */
const from = (profiles: string): string => `${profiles} p left join contact_activity a on a.profile_id = p.id`;
const FROM = from('contact_profiles');
const NEWEST_FIRST = '-createdAt';

/** Reads pages of profiles, each at a constant cost. */
@Injectable()
export class ProfileReader {
  constructor(
    private readonly em: EntityManager,
    private readonly memberships: Memberships,
    private readonly segments: SegmentConditions,
    private readonly rules: RuleReader,
  ) {}

  /**
   * One page of the contacts that a query finds, with their number.
   * @throws 400 for a bad cursor, 404 for lists and tags of another account
   */
  async page(ownerId: string, query: ProfileQuery & { limit: number }): Promise<Page<ProfileDto>> {
    const keyset = new Keyset(SORTS, query.sort ?? NEWEST_FIRST, query.cursor, 'p.id');
    const isLarge = searchText(query) !== '' && (await this.hasMany(ownerId));
    const search = isLarge && isSearchAlone(query) ? await this.search(ownerId, query, keyset) : null;
    if (search?.isWhole) return { ...pageOf(keyset, search.rows, query.limit), total: search.total };
    // If very many contacts match, the next contacts in order fill a page sooner than all matches can be collected.
    const isCommon = search !== null && search.total > COUNT_LIMIT;
    const condition = await this.conditionOf(ownerId, query, isLarge);
    const isByTime = (query.sort ?? NEWEST_FIRST).endsWith('createdAt');
    const inOrder = isCommon && isByTime ? await this.matchesInOrder(ownerId, query, keyset) : [];
    const found =
      inOrder.length > query.limit
        ? inOrder
        : await rows<KeyedRow>(
            this.em.fork(),
            `select ${keyset.columns}, ${this.columns} from ${FROM} where ${condition.sql} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
            [...condition.params, ...keyset.params, query.limit + 1],
          );
    const page = pageOf(keyset, found, query.limit);
    if (isCommon) return { ...page, total: COUNT_LIMIT, isTotalCapped: true };
    const isWhole = !query.cursor && !page.next;
    return { ...page, ...(isWhole ? { total: page.rows.length } : await this.total(ownerId, query, condition)) };
  }

  /**
   * Searches the indexes of a large account for a text without other criteria.
   * @returns the number of contacts found, which exceeds COUNT_LIMIT if there are more than are counted, and the rows of
   * the page, which is empty unless all contacts were found
   */
  private async search(
    ownerId: string,
    query: ProfileQuery & { limit: number },
    keyset: Keyset,
  ): Promise<{ total: number; isWhole: boolean; rows: KeyedRow[] }> {
    const found = searchSql(ownerId, searchText(query), this.memberships.lists);
    // Each contact is read by its id, because the planner does not know how few they are. A page without rows is one row
    // without a position.
    const read = await rows<KeyedRow & { position: string | null; foundTotal: number; isWhole: boolean }>(
      this.em.fork(),
      `with ${found.sql} select s.total::int as "foundTotal", s.is_whole as "isWhole", page.* from counted s left join lateral (
         select row_number() over () as position, in_order.* from (
           select ${keyset.columns}, ${this.columns}
           from found cross join lateral (select * from contact_profiles c where c.id = found.id and c.owner_id = ? offset 0) p
             left join contact_activity a on a.profile_id = p.id
           where s.is_whole and ${keyset.where} order by ${keyset.orderBy} limit ?) in_order) page on true order by page.position`,
      [...found.params, ownerId, ...keyset.params, query.limit + 1],
    );
    const { foundTotal: total, isWhole } = read[0]!;
    const ofPage = read.filter(({ position }) => position !== null);
    return { total, isWhole, rows: ofPage.map(({ position: _p, foundTotal: _t, isWhole: _w, ...row }) => row) };
  }

  /** The rows of a search's page that are among the next MAX_SCANNED_ROWS contacts in the page's order. */
  private matchesInOrder(
    ownerId: string,
    query: ProfileQuery & { limit: number },
    keyset: Keyset,
  ): Promise<KeyedRow[]> {
    const { sql, params } = matchesInOrder(ownerId, searchText(query), keyset, query.limit + 1);
    return rows<KeyedRow>(
      this.em.fork(),
      `select ${keyset.columns}, ${this.columns} from ${from(sql)} order by ${keyset.orderBy}`,
      params,
    );
  }

  /** Whether the account has too many contacts for a search that reads all of them. */
  private async hasMany(ownerId: string): Promise<boolean> {
    return (await this.count(this.em.fork(), ownerId)) > MAX_SCANNED_ROWS;
  }

  /** @throws 404 */
  async one(ownerId: string, id: string, em = this.em.fork()): Promise<ProfileDto> {
    const [found] = await rows<ProfileRow>(
      em,
      `select ${this.columns} from ${FROM} where p.id = ? and p.owner_id = ?`,
      [id, ownerId],
    );
    if (!found) throw contactNotFound();
    return view(found);
  }

  /** @throws 404 */
  async detail(ownerId: string, id: string): Promise<ProfileDetailDto> {
    const profile = await this.one(ownerId, id);
    const address = parseAddress(profile.email);
    return {
      ...profile,
      lists: await this.memberships.lists.of(id),
      leftAt: profile.consent === 'left' ? ((await this.memberships.lists.leftAt(id))?.toISOString() ?? null) : null,
      interests: null,
      doNotSend: address && (await this.rules.covering(ownerId, address.norm, address.hash)),
    };
  }

  /**
   * The SQL condition for criteria.
   * @param em with a transaction, the segment cannot be deleted until it ends
   * @throws 404 if a list, tag or segment is not the account's own, 409 for a segment that cannot be evaluated
   */
  async condition(ownerId: string, criteria: ProfileCriteria, em?: EntityManager): Promise<SqlPart> {
    const isLarge = searchText(criteria) !== '' && (await this.hasMany(ownerId));
    return this.conditionOf(ownerId, criteria, isLarge, em);
  }

  private async conditionOf(
    ownerId: string,
    criteria: ProfileCriteria,
    isLarge: boolean,
    em?: EntityManager,
  ): Promise<SqlPart> {
    const { list, tag } = criteria;
    if (list) await this.memberships.lists.requireLists(ownerId, [list]);
    if (tag !== undefined) {
      const tags = await rows(this.em.fork(), `select 1 from contact_tags where id = ? and owner_id = ?`, [
        tag,
        ownerId,
      ]);
      if (tags.length === 0) throw tagNotFound();
    }
    const segment = criteria.segment ? await this.segments.of(ownerId, criteria.segment, em) : null;
    return profileCondition(ownerId, criteria, this.memberships.lists, isLarge, segment);
  }

  /**
   * Whether a condition may currently miss people: while a send's audience is not frozen, its recipients are unknown.
   */
  async isUnsettled(ownerId: string, { segment }: ProfileCriteria): Promise<boolean> {
    return segment ? this.segments.areUnsettled(ownerId) : false;
  }

  /** Number of contacts that match: exact without criteria, otherwise counted up to a limit. */
  private async total(ownerId: string, criteria: ProfileCriteria, { sql, params }: SqlPart): Promise<Matches> {
    const { search, list, tag, consent, domain, segment } = criteria;
    if (search?.trim() || list || tag !== undefined || consent || domain || segment || criteria.import)
      return countMatches(this.em.fork(), `contact_profiles p where ${sql}`, params);
    return { total: await this.count(this.em.fork(), ownerId), isTotalCapped: false };
  }

  /** Number of the account's contacts. Triggers keep it, so reading it has a constant cost. */
  async count(em: EntityManager, ownerId: string): Promise<number> {
    const [found] = await rows<{ n: number }>(
      em,
      `select coalesce(sum(profiles), 0)::int as n from profile_counts where owner_id = ?`,
      [ownerId],
    );
    return found?.n ?? 0;
  }

  private get columns(): string {
    return `p.id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.company, p.company_domain as "companyDomain", p.job_title as "jobTitle", p.phone,
      p.phone_e164 as "phoneE164", p.city, p.region, p.country, p.time_zone as "timeZone", p.skill_ids as skills, ${TAGS} as tags, ${SHOWN_FIELDS} as fields,
      ${this.memberships.lists.listIdsSql} as "listIds", ${this.memberships.lists.consentSql} as consent, a.last_mailed_at as "lastMailedAt", p.created_at as "createdAt"`;
  }
}

/** SQL expression: ids of a profile's tags, without deleted tags that a worker has not removed yet. */
const TAGS = `case when p.tag_ids = '{}' then p.tag_ids else array(
    select u.tag from unnest(p.tag_ids) with ordinality as u(tag, place) join contact_tags g on g.id = u.tag and g.owner_id = p.owner_id order by u.place) end`;

/** Whether a search has no other criteria. */
const isSearchAlone = ({ list, tag, consent, domain, import: from, segment }: ProfileCriteria): boolean =>
  !list && tag === undefined && !consent && !domain && !from && !segment;

function pageOf(keyset: Keyset, found: KeyedRow[], limit: number) {
  const page = keyset.page(found, limit);
  return { ...page, rows: page.rows.map((row) => view(withoutKeys(row) as ProfileRow)) };
}

const view = ({ createdAt, lastMailedAt, ...row }: ProfileRow): ProfileDto => ({
  ...row,
  lastMailedAt: lastMailedAt === null ? null : new Date(lastMailedAt).toISOString(),
  createdAt: new Date(createdAt).toISOString(),
});
