import type { SqlPart } from './rows.js';

/** A common table expression (CTE) with its own values. */
export interface Cte extends SqlPart {
  name: string;
  /** Calculated once, and no part of the plan of its readers. Default: PostgreSQL decides. */
  isMaterialized?: boolean;
}

/** A statement of CTEs, each of which can read those before it, and of a last part that reads them all. */
export const withCtes = (ctes: readonly Cte[], last: SqlPart): SqlPart => ({
  sql: `with ${ctes.map(({ name, isMaterialized, sql }) => `${name} as ${isMaterialized ? 'materialized ' : ''}(${sql})`).join(', ')} ${last.sql}`,
  params: [...ctes.flatMap(({ params }) => params), ...last.params],
});
