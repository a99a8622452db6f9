import type { SqlPart } from './rows.js';

/** A condition, or nothing for one that does not apply. The short form is the SQL followed by its parameters. */
type Condition = SqlPart | readonly [sql: string, ...params: unknown[]] | '' | false | null | undefined;

/**
 * Joins the conditions that apply by `and`; `true` if there are none. A condition with `or` needs brackets of its own.
 * Where false or 0 is a value to filter by, write `x !== undefined && …`.
 */
export function allOf(conditions: readonly Condition[]): SqlPart {
  const parts = conditions.filter((condition) => !!condition).map(toPart);
  return { sql: parts.map(({ sql }) => sql).join(' and ') || 'true', params: parts.flatMap(({ params }) => params) };
}

function toPart(condition: Exclude<Condition, '' | false | null | undefined>): SqlPart {
  if ('sql' in condition) return condition;
  const [sql, ...params] = condition;
  return { sql, params };
}
