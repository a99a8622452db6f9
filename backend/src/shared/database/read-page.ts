import type { EntityManager } from '@mikro-orm/postgresql';
import { countMatches, type Matches } from './count-matches.js';
import type { Keyset, KeysetRow } from './keyset.js';
import { rows } from './rows.js';

/** What a page is read from; parameters stand where the SQL has their place. */
export interface PageSource {
  /** The columns shown, with their parameters. */
  columns: string;
  columnParams?: readonly unknown[];
  /** Tables and joins, and the part of them that is enough for counting. */
  from: string;
  countFrom?: string;
  where: readonly [condition: string, params: readonly unknown[]];
}

/** One page in a keyset's order, the cursors around it, and how many rows there are in all, counted up to a limit. */
export async function readPage<R extends object>(em: EntityManager, keyset: Keyset, limit: number, source: PageSource): Promise<{ rows: (R & KeysetRow)[]; next: string | null; prev: string | null } & Matches> {
  const { columns, columnParams = [], from, countFrom = from, where: [condition, params] } = source;
  const found = await rows<R & KeysetRow>(
    em,
    `select ${keyset.columns}, ${columns} from ${from} where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
    [...columnParams, ...params, ...keyset.params, limit + 1],
  );
  return { ...keyset.page(found, limit), ...(await countMatches(em, `${countFrom} where ${condition}`, params)) };
}
