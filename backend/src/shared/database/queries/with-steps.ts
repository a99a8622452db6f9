import type { SqlPart } from './rows.js';

/** A step of a statement: a common table expression with its own values. */
export interface Step extends SqlPart {
  name: string;
  /** Calculated once, and no part of the plan of its readers. Default: PostgreSQL decides. */
  isMaterialized?: boolean;
}

/** A statement of steps, each of which can read those before it, and of a last part that reads them all. */
export const withSteps = (steps: readonly Step[], last: SqlPart): SqlPart => ({
  sql: `with ${steps.map(({ name, isMaterialized, sql }) => `${name} as ${isMaterialized ? 'materialized ' : ''}(${sql})`).join(', ')} ${last.sql}`,
  params: [...steps.flatMap(({ params }) => params), ...last.params],
});
