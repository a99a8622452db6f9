import type { PoolClient } from 'pg';

/** A table and its columns in a backup. */
export interface Table {
  name: string;
  columns: string[];
  /** An unlogged table: its rows can be derived again after a crash, so a backup leaves them out. */
  isUnlogged: boolean;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * All tables of a schema, except for the migrations table. Referenced tables come before the tables that refer to them.
 */
export async function tablesInOrder(client: PoolClient, schema = 'public'): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns, bool_or(c.relpersistence = 'u') as "isUnlogged"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname <> 'mikro_orm_migrations'
     group by c.relname order by c.relname`,
    [schema],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select distinct f.relname as "from", t.relname as "to" from pg_constraint join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
     where contype = 'f' and connamespace = $1::regnamespace and conrelid <> confrelid`,
    [schema],
  );
  const placed = new Map<string, Table>();
  const place = (table: Table, path: Set<string>): void => {
    if (placed.has(table.name)) return;
    if (path.has(table.name)) throw new Error(`tables refer to each other in a circle: ${[...path].join(', ')}`);
    for (const { to } of references.filter(({ from }) => from === table.name))
      place(
        tables.find(({ name }) => name === to)!,
        new Set(path).add(table.name),
      );
    placed.set(table.name, table);
  };
  for (const table of tables) place(table, new Set());
  return [...placed.values()];
}
