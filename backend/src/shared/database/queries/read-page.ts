import type { EntityManager } from '@mikro-orm/postgresql';
import type { Keyset, KeysetRow } from './keyset.js';
import { rows } from './rows.js';

/** Maximum number of rows a count reads: an exact number beyond it is not needed and would scan the whole table. */
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

/** SQL parts of a paged query; parameters follow the order of the parts. */
export interface PageSource {
  /** Selected columns with their parameters. */
  columns: string;
  columnParams?: readonly unknown[];
  /** FROM clause, and the shorter part of it that suffices for counting. */
  from: string;
  countFrom?: string;
  where: readonly [condition: string, params: readonly unknown[]];
}

/** Reads one page in a keyset's order, with neighbouring cursors and the total, counted up to COUNT_LIMIT. */
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
    where: [condition, params],
  } = source;
  const found = await rows<R & KeysetRow>(
    em,
    `select ${keyset.columns}, ${columns} from ${from} where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
    [...columnParams, ...params, ...keyset.params, limit + 1],
  );
  return { ...keyset.page(found, limit), ...(await countMatches(em, `${countFrom} where ${condition}`, params)) };
}
