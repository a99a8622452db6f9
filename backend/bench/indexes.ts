import type pg from 'pg';

interface Definition {
  table: string;
  name: string;
  definition: string;
  isConstraint: boolean;
}

/**
 * Fills tables while they have no indexes except primary keys, and creates the indexes afterwards. This is several
 * times faster.
 */
export async function withoutIndexes(
  client: pg.PoolClient,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: found } = await client.query<Definition>(DEFINITIONS, [tables]);
  for (const { table, name, isConstraint } of found)
    await client.query(isConstraint ? `alter table "${table}" drop constraint "${name}"` : `drop index "${name}"`);
  for (const table of tables) await client.query(`alter table "${table}" set (autovacuum_enabled = false)`);
  await fill();
  for (const table of tables) await client.query(`alter table "${table}" reset (autovacuum_enabled)`);
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { table, name, definition, isConstraint } of found)
    await client.query(isConstraint ? `alter table "${table}" add constraint "${name}" ${definition}` : definition);
  await client.query('reset maintenance_work_mem');
}

const DEFINITIONS = `
  select t.relname as table, i.relname as name, coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.oid)) as definition, c.oid is not null as "isConstraint"
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid left join pg_constraint c on c.conindid = i.oid and c.contype = 'u'
  where t.oid = any ($1::text[]::regclass[]) and not x.indisprimary order by 1, 2`;
