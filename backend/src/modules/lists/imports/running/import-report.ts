import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { ImportReport } from '../../entities/contact-import.values.js';
import type { Verdict } from '../../entities/contact-import-staging.entity.js';
import { type JudgingScope, KNOWN_DOMAINS } from './verdict-sql.js';

type Unchecked = NonNullable<ImportReport['unchecked']>;

const MAX_DOMAINS = 10;
const MAX_TYPOS = 50;

/** Sums up the verdicts of a checked import. Reads all its staged rows. */
export async function reportOf(
  em: EntityManager,
  { importId, checksDomains }: Pick<JudgingScope, 'importId' | 'checksDomains'>,
): Promise<ImportReport> {
  const verdicts = await rows<{ verdict: Verdict; count: number }>(
    em,
    `select verdict, count(*)::int as count from contact_import_rows where import_id = ? and verdict is not null group by verdict`,
    [importId],
  );
  const count = (wanted: Verdict): number => verdicts.find(({ verdict }) => verdict === wanted)?.count ?? 0;
  return {
    new: count('new'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    leftOut: count('left_out'),
    groups: await rows(em, GROUPS, [importId, importId]),
    domains: await rows(em, LARGEST_DOMAINS, [importId]),
    typos: await rows(em, TYPOS, [importId]),
    unchecked: checksDomains ? (await rows<Unchecked>(em, UNCHECKED, [importId]))[0]! : { domains: 0, people: 0 },
  };
}

/** Counts lines by reason and mark. A line that is left out counts once, for its reason. */
const GROUPS = `
  select code, count(*)::int as count from (
    select coalesce(refused, reason) as code from contact_import_rows where import_id = ? and verdict = 'left_out'
    union all
    select unnest(marks) from contact_import_rows where import_id = ? and verdict <> 'left_out' and marks <> '{}'
  ) codes group by code order by count desc, code`;

const LARGEST_DOMAINS = `
  select person ->> 'company_domain' as domain, count(*)::int as people from contact_import_rows
  where import_id = ? and verdict <> 'left_out' and person ->> 'company_domain' is not null group by 1 order by people desc, domain limit ${MAX_DOMAINS}`;

const TYPOS = `
  select domain as "from", min(suggestion) as "to", count(*)::int as rows from contact_import_rows
  where import_id = ? and verdict <> 'left_out' and suggestion is not null group by domain order by rows desc, domain limit ${MAX_TYPOS}`;

const UNCHECKED = `
  select count(distinct r.domain)::int as domains, count(*)::int as people from contact_import_rows r
  where r.import_id = ? and r.verdict <> 'left_out' and r.domain is not null
    and not exists (select 1 from ${KNOWN_DOMAINS} d where d.domain = r.domain)`;
