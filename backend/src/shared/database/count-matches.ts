import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './rows.js';

/** Most rows that a count goes through: beyond it nobody needs the exact number, and finding it would read the whole table. */
export const COUNT_LIMIT = 10_000;

export interface Matches {
  /** How many rows match; COUNT_LIMIT where there are more. */
  total: number;
  isTotalCapped: boolean;
}

/** How many rows match; stops at COUNT_LIMIT. `from` is what follows FROM, with its WHERE. */
export async function countMatches(em: EntityManager, from: string, params: readonly unknown[]): Promise<Matches> {
  const [found] = await rows<{ n: number }>(em, `select count(*)::int as n from (select 1 from ${from} limit ${COUNT_LIMIT + 1}) matches`, params);
  const n = found?.n ?? 0;
  return { total: Math.min(n, COUNT_LIMIT), isTotalCapped: n > COUNT_LIMIT };
}
