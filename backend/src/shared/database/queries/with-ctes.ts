import type { SqlPart } from './rows.js';

/** A common table expression (CTE) with its own values. */
export interface Cte extends SqlPart {
  name: string;
  /**
   * Whether PostgreSQL computes the CTE separately, once, instead of merging it into the queries that read it. Default:
   * PostgreSQL decides.
   */
  isMaterialized?: boolean;
}

/** A statement of CTEs and a last part. Each CTE can read the ones before it; the last part can read all of them. */
export const withCtes = (ctes: readonly Cte[], last: SqlPart): SqlPart => ({
  sql: `with ${ctes.map(({ name, isMaterialized, sql }) => `${name} as ${isMaterialized ? 'materialized ' : ''}(${sql})`).join(', ')} ${last.sql}`,
  params: [...ctes.flatMap(({ params }) => params), ...last.params],
});
