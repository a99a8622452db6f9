import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './rows.js';

/** Rows by which a table may grow before its statistics count as outdated, however small it was. */
const MIN_GROWTH = 1_000;

/**
 * Updates the planner's statistics of tables that have at least doubled since they were last analyzed. Autovacuum does
 * so only about once a minute. Until then, after a large import into a new installation, the planner expects a handful
 * of rows and reads whole lists for a page of fifty. Skips tables that are being vacuumed or analyzed.
 * @param tables names of tables, which become part of the SQL unescaped
 */
export async function analyzeGrown(em: EntityManager, tables: readonly string[]): Promise<void> {
  const grown = await rows<{ name: string }>(
    em,
    `select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.relid in (${tables.map(() => '?::regclass').join(', ')}) and s.n_mod_since_analyze >= ${MIN_GROWTH} + greatest(c.reltuples, 0)`,
    [...tables],
  );
  if (grown.length > 0) await rows(em, `analyze (skip_locked) ${grown.map(({ name }) => `"${name}"`).join(', ')}`);
}
