import type { EntityManager } from '@mikro-orm/postgresql';
import type { Keyset, KeysetRow } from './keyset.js';
import { rows, type SqlPart } from './rows.js';

/**
 * Maximum number of rows that a count reads. Nobody needs a larger exact number, and it would require a scan of the
 * whole table.
 */
export const COUNT_LIMIT = 10_000;

export interface Matches {
  /** Number of matching rows, at most COUNT_LIMIT. */
  total: number;
  isTotalCapped: boolean;
}

/** Counts matching rows up to COUNT_LIMIT. `from` is the SQL after FROM, including WHERE. */
export async function countMatches(em: EntityManager, from: string, params: readonly unknown[]): Promise<Matches> {
  const [found] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from (select 1 from ${from} limit ${COUNT_LIMIT + 1}) matches`,
    params,
  );
  const n = found?.n ?? 0;
  return { total: Math.min(n, COUNT_LIMIT), isTotalCapped: n > COUNT_LIMIT };
}

/** SQL parts of a paged query. The parameters follow the order of the parts. */
export interface PageSource {
  /** Selected columns and their parameters. */
  columns: string;
  columnParams?: readonly unknown[];
  /** FROM clause of the page, and a shorter one that suffices for counting. */
  from: string;
  countFrom?: string;
  where: SqlPart;
}

/**
 * Reads one page in a keyset's order, with the cursors of the neighbouring pages and the total, which is counted up to
 * COUNT_LIMIT.
 */
export async function readPage<R extends object>(
  em: EntityManager,
  keyset: Keyset,
  limit: number,
  source: PageSource,
): Promise<{ rows: (R & KeysetRow)[]; next: string | null; prev: string | null } & Matches> {
  const {
    columns,
    columnParams = [],
    from,
    countFrom = from,
    where: { sql: condition, params },
  } = source;
  const found = await rows<R & KeysetRow>(
    em,
    `select ${keyset.columns}, ${columns} from ${from} where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
    [...columnParams, ...params, ...keyset.params, limit + 1],
  );
  return { ...keyset.page(found, limit), ...(await countMatches(em, `${countFrom} where ${condition}`, params)) };
}
