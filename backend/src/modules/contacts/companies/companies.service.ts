import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { contains, Keyset, type SortKey, withoutKeys } from '../../../shared/database/queries/keyset.js';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/index.js';
import { isoTime } from '../../../shared/text/formats.js';
import { companyNotFound } from '../contacts.errors.js';
import { RULE_HOLDS } from '../do-not-send/rule-sql.js';
import { readRuleValue } from '../do-not-send/rule-value.js';
import type { CompanyDto, CompanyQuery, UpdateCompanyDto } from './company.dto.js';

const SORTS: Record<string, SortKey> = {
  contacts: { expression: 'c.contacts', type: 'integer' },
  lastMailedAt: { expression: `coalesce(c.last_mailed_at, timestamptz '0001-01-01 00:00:00Z')`, type: 'timestamptz' },
  domain: { expression: 'c.domain', type: 'text' },
};
/** Companies have no id; this value takes the place of the id in a page's cursor. */
const ID = 'md5(c.domain)::uuid';
/** Number of a company's contacts that are searched for the most frequent company name. */
const SAMPLED_NAMES = 50;

type Row = Omit<CompanyDto, 'lastMailedAt'> & { lastMailedAt: Date | string | null };

/** The companies at which an account has contacts, with the name, kind, cap and note that the account set. */
@Injectable()
export class Companies {
  constructor(private readonly em: EntityManager) {}

  /** @throws 400 for a bad cursor or sort */
  async page(ownerId: string, query: CompanyQuery & { limit: number }): Promise<Page<CompanyDto>> {
    const keyset = new Keyset(SORTS, query.sort ?? '-contacts', query.cursor, ID);
    const text = query.search?.trim().toLowerCase();
    const companies = companiesSql(Boolean(text));
    const where = `true${query.kind ? ' and c.kind = ?' : ''}${text ? ` and (c.domain like ? or case when c.name is null then c.is_named else lower(c.name) like ? end)` : ''}`;
    const params = [
      ...(text ? [contains(text)] : []),
      ownerId,
      ownerId,
      ...(query.kind ? [query.kind] : []),
      ...(text ? [contains(text), contains(text)] : []),
    ];
    const em = this.em.fork();
    const found = await rows<Row & { keyset_value: string; keyset_id: string }>(
      em,
      `select ${keyset.columns}, ${COLUMNS} from ${companies} c where ${where} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [ownerId, ownerId, ...params, ...keyset.params, query.limit + 1],
    );
    const page = keyset.page(found, query.limit);
    const isWhole = !query.cursor && !page.next;
    const total = isWhole
      ? { total: page.rows.length }
      : await countMatches(em, `${companies} c where ${where}`, params);
    return { ...page, rows: page.rows.map((row) => view(withoutKeys(row) as Row)), ...total };
  }

  /** @throws 404 if the account has neither contacts at the domain nor a row for it in `companies` */
  async update(ownerId: string, typed: string, body: UpdateCompanyDto): Promise<CompanyDto> {
    const domain = readRuleValue(typed);
    if (!domain || domain.value !== domain.companyDomain) throw companyNotFound();
    const em = this.em.fork();
    const { name, kind, maxPerSend, note } = body;
    const given = [name, kind, maxPerSend, note] as const;
    const done = await changed(em, UPSERT, [
      ownerId,
      domain.value,
      ...given.map((value) => value ?? null),
      ...given.map((value) => value !== undefined),
    ]);
    if (done === 0) throw companyNotFound();
    const [found] = await rows<Row>(em, `select ${COLUMNS} from ${companiesSql(false)} c where c.domain = ?`, [
      ownerId,
      ownerId,
      ownerId,
      ownerId,
      domain.value,
    ]);
    return view(found!);
  }
}

const view = ({ lastMailedAt, ...row }: Row): CompanyDto => ({ ...row, lastMailedAt: isoTime(lastMailedAt) });

/**
 * SQL of a table of the account's companies. `is_named`: one of the company's contacts has a matching company name.
 * Parameters in order: a LIKE pattern for the company name (only if `isSearched`), the account, the account.
 */
const companiesSql = (isSearched: boolean): string => `(
  select coalesce(k.domain, g.domain) as domain, k.name, k.kind, k.max_per_send, k.note, coalesce(g.contacts, 0) as contacts, g.last_mailed_at,
    coalesce(g.is_named, false) as is_named
  from (
    select p.company_domain as domain, count(*)::int as contacts, max(a.last_mailed_at) as last_mailed_at, ${isSearched ? 'bool_or(lower(p.company) like ?)' : 'false'} as is_named
    from contact_profiles p left join contact_activity a on a.profile_id = p.id
    where p.owner_id = ? and p.company_domain is not null group by p.company_domain
  ) g full join (select * from companies where owner_id = ?) k on k.domain = g.domain)`;

/** Columns of CompanyDto. Parameters: the account, twice. */
const COLUMNS = `c.domain, c.kind, c.contacts, c.last_mailed_at as "lastMailedAt", c.max_per_send as "maxPerSend", c.note,
  coalesce(c.name, (
    select s.company from (
      select p.company from contact_profiles p where p.owner_id = ? and p.company_domain = c.domain and p.company is not null limit ${SAMPLED_NAMES}
    ) s group by s.company order by count(*) desc, s.company limit 1)) as name,
  (select r.id from do_not_send_rules r where r.owner_id = ? and r.value = c.domain and ${RULE_HOLDS}) as "doNotSendId"`;

const UPSERT = `
  with given as (
    select ?::uuid as owner_id, ?::text as domain, ?::text as name, ?::text as kind, ?::int as max_per_send, ?::text as note
  )
  insert into companies as k (owner_id, domain, name, kind, max_per_send, note)
  select g.owner_id, g.domain, g.name, g.kind, g.max_per_send, g.note from given g
  where exists (select 1 from contact_profiles p where p.owner_id = g.owner_id and p.company_domain = g.domain)
     or exists (select 1 from companies o where o.owner_id = g.owner_id and o.domain = g.domain)
  on conflict (owner_id, domain) do update set name = case when ? then excluded.name else k.name end,
    kind = case when ? then excluded.kind else k.kind end,
    max_per_send = case when ? then excluded.max_per_send else k.max_per_send end,
    note = case when ? then excluded.note else k.note end`;
