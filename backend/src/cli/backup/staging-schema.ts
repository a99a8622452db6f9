import { setTimeout as pause } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Migration } from '@mikro-orm/migrations';
import type { PoolClient } from 'pg';
import { migrations } from '../../../migrations/index.js';
import { entities } from '../../entities.js';
import { ormConfig } from '../../shared/database/orm-config.js';
import { quoted, tablesInOrder } from './tables.js';

/** Schema in which a restore builds the tables. It is left behind only if the restore was killed. */
export const STAGING = 'staffcast_restore';
const LIVE_SCHEMA = 'public';
const SWAP_TRIES = 20;
/** Lock timeout of the swap. It is short, because other sessions queue behind the swap while it waits for a table. */
const SWAP_PATIENCE = '1s';
const BUSY_CODES = new Set(['55P03', '40P01']);

/** SQL condition: the object belongs to the schema and to no extension. Parameter: the schema. */
const OWN = (catalog: string, alias: string, namespace: string): string =>
  `${namespace} = $1::regnamespace and not exists (select 1 from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${alias}.oid and e.deptype = 'e')`;
const RELATIONS = `select c.relname as name, c.relkind as kind from pg_class c where ${OWN('pg_class', 'c', 'c.relnamespace')} and c.relkind in ('r', 'p', 'v', 'm', 'S')
  and not exists (select 1 from pg_depend o where o.classid = 'pg_class'::regclass and o.objid = c.oid and o.refclassid = 'pg_class'::regclass and o.deptype in ('a', 'i')) order by c.relkind, c.relname`;
const ROUTINES = `select p.oid::regprocedure::text as name from pg_proc p where ${OWN('pg_proc', 'p', 'p.pronamespace')} order by 1`;
const TYPES = `select t.typname as name from pg_type t where ${OWN('pg_type', 't', 't.typnamespace')} and t.typtype in ('e', 'd') order by 1`;
const KIND: Record<string, string> = { r: 'table', p: 'table', v: 'view', m: 'materialized view', S: 'sequence' };

/** Query for owners and grants of a schema's tables. Parameter: the schema. */
const RIGHTS = `
  select c.relname as name, c.relkind as kind, quote_ident(pg_get_userbyid(c.relowner)) as owner,
    array(select format('%s on %s to %s%s', a.privilege_type, case c.relkind when 'S' then 'sequence' else 'table' end || ' ${LIVE_SCHEMA}.' || quote_ident(c.relname),
        case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end, case when a.is_grantable then ' with grant option' else '' end)
      from aclexplode(c.relacl) a where a.grantee <> c.relowner
      union all
      select format('%s (%I) on table ${LIVE_SCHEMA}.%I to %s%s', a.privilege_type, t.attname, c.relname,
        case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end, case when a.is_grantable then ' with grant option' else '' end)
      from pg_attribute t cross join aclexplode(t.attacl) a where t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped) as grants
  from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')`;

interface Named {
  name: string;
  kind: string;
}

interface Rights extends Named {
  owner: string;
  grants: string[];
}

/** Separate schema in which a backup is restored completely while the live schema stays in use. */
export class StagingSchema {
  private held: string[] = [];

  constructor(
    private readonly client: PoolClient,
    private readonly databaseUrl: string,
  ) {}

  /**
   * Creates the schema anew by running these migrations. Empties its tables, and drops foreign keys and indexes, which
   * would slow down loading.
   */
  async create(names: string[]): Promise<void> {
    await this.drop();
    await this.client.query(`create schema ${STAGING}`);
    await this.migrate(names);
    const tables = await this.tables();
    if (tables.length > 0) await this.client.query(`truncate ${tables.map(qualified).join(', ')} cascade`);
    for (const table of tables) await this.client.query(`alter table ${qualified(table)} disable trigger user`);
    this.held = await this.dropConstraints();
  }

  async drop(): Promise<void> {
    await this.client.query(`drop schema if exists ${STAGING} cascade`);
  }

  /** Validates foreign keys, builds indexes and runs newer migrations. */
  async finish(): Promise<void> {
    for (const statement of this.held) await this.client.query(statement);
    for (const table of await this.tables())
      await this.client.query(`alter table ${qualified(table)} enable trigger user`);
    await this.migrate();
    await this.client.query(`analyze ${(await this.tables()).map(qualified).join(', ')}`);
  }

  /** Tables that the backup's rows are loaded into. */
  async tables(): Promise<string[]> {
    return (await tablesInOrder(this.client, STAGING)).map(({ name }) => name);
  }

  /**
   * Replaces the live tables by the restored ones in one transaction. Extensions, other schemas and grants stay.
   * @throws if other sessions hold table locks during all attempts; nothing is then changed
   */
  async swap(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.trySwap();
      } catch (error) {
        await this.client.query('rollback').catch(() => undefined);
        if (!BUSY_CODES.has((error as { code?: string }).code ?? '')) throw error;
        if (tries === SWAP_TRIES)
          throw new Error(
            'somebody has a table in use all the time; nothing was changed. End what runs for long (exports, pg_dump), or stop the instances, and try again',
            { cause: error },
          );
        await pause(500);
      }
    }
  }

  private async trySwap(): Promise<void> {
    await this.client.query('begin');
    await this.client.query(`set local lock_timeout = '${SWAP_PATIENCE}'`);
    const live = await this.relations(LIVE_SCHEMA);
    const tables = live
      .filter(({ kind }) => kind === 'r' || kind === 'p')
      .map(({ name }) => `${LIVE_SCHEMA}.${quoted(name)}`);
    if (tables.length > 0) await this.client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
    const { rows: rights } = await this.client.query<Rights>(RIGHTS, [LIVE_SCHEMA]);
    // Views first, because dropping a table drops the views on it.
    for (const { name, kind } of live.toSorted(
      (a, b) => Number(b.kind === 'v' || b.kind === 'm') - Number(a.kind === 'v' || a.kind === 'm'),
    )) {
      await this.client.query(`drop ${KIND[kind]!} if exists ${LIVE_SCHEMA}.${quoted(name)} cascade`);
    }
    for (const name of await this.names(ROUTINES, LIVE_SCHEMA))
      await this.client.query(`drop routine if exists ${name} cascade`);
    for (const name of await this.names(TYPES, LIVE_SCHEMA))
      await this.client.query(`drop type if exists ${LIVE_SCHEMA}.${quoted(name)} cascade`);
    for (const name of await this.names(TYPES, STAGING))
      await this.client.query(`alter type ${qualified(name)} set schema ${LIVE_SCHEMA}`);
    const staged = await this.relations(STAGING);
    for (const { name, kind } of staged)
      await this.client.query(`alter ${KIND[kind]!} ${qualified(name)} set schema ${LIVE_SCHEMA}`);
    for (const name of await this.names(ROUTINES, STAGING))
      await this.client.query(`alter routine ${name} set schema ${LIVE_SCHEMA}`);
    await this.grant(rights, staged);
    await this.client.query(`drop schema ${STAGING} cascade`);
    // Makes workers check consent again.
    await this.client.query(`notify consent_changes, '*'`);
    // Makes open screens reload their data.
    await this.client.query(`notify account_changes, '*'`);
    await this.client.query('commit');
  }

  private async grant(rights: Rights[], staged: Named[]): Promise<void> {
    const { rows: now } = await this.client.query<Rights>(RIGHTS, [LIVE_SCHEMA]);
    for (const { name, kind, owner, grants } of rights) {
      const there = now.find((one) => one.name === name && one.kind === kind);
      if (!there) continue;
      for (const grant of grants) await this.client.query(`grant ${grant}`);
      if (there.owner !== owner && staged.some((one) => one.name === name))
        await this.client.query(`alter ${KIND[kind]!} ${LIVE_SCHEMA}.${quoted(name)} owner to ${owner}`);
    }
  }

  /** Drops foreign keys and plain indexes. @returns statements that recreate them, indexes first */
  private async dropConstraints(): Promise<string[]> {
    const { rows: keys } = await this.client.query<{ table: string; name: string; definition: string }>(
      `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.connamespace = $1::regnamespace and k.contype = 'f' order by 1, 2`,
      [STAGING],
    );
    const { rows: indexes } = await this.client.query<{ name: string; definition: string }>(
      `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = $1::regnamespace and not exists (select 1 from pg_constraint k where k.conindid = c.oid) order by 1`,
      [STAGING],
    );
    for (const { table, name } of keys)
      await this.client.query(`alter table ${qualified(table)} drop constraint ${quoted(name)}`);
    for (const { name } of indexes) await this.client.query(`drop index ${qualified(name)}`);
    return [
      ...indexes.map(({ definition }) => definition),
      ...keys.map(
        ({ table, name, definition }) => `alter table ${qualified(table)} add constraint ${quoted(name)} ${definition}`,
      ),
    ];
  }

  /**
   * Runs migrations with this schema as the only one in the search path. Without names, runs all pending migrations.
   */
  private async migrate(names?: string[]): Promise<void> {
    const {
      rows: [trigrams],
    } = await this.client.query<{ schema: string }>(
      `select quote_ident(nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'`,
    );
    const config = ormConfig(this.databaseUrl, entities);
    const orm = await MikroORM.init({
      ...config,
      driverOptions: { ...config.driverOptions, options: `-c search_path=${STAGING}` },
      migrations: {
        ...config.migrations,
        // The restore prints its own progress. Messages about migrations of the staging schema would only confuse.
        silent: true,
        tableName: `${STAGING}.mikro_orm_migrations`,
        migrationsList: migrations.map(({ name, class: MigrationClass }) => ({
          name,
          class: namingExtension(MigrationClass, trigrams?.schema ?? LIVE_SCHEMA),
        })),
      },
    });
    try {
      await orm.migrator.up(names && { migrations: names });
    } finally {
      await orm.close(true);
    }
  }

  private async relations(schema: string): Promise<Named[]> {
    return (await this.client.query<Named>(RELATIONS, [schema])).rows;
  }

  private async names(query: string, schema: string): Promise<string[]> {
    return (await this.client.query<{ name: string }>(query, [schema])).rows.map(({ name }) => name);
  }
}

type MigrationClass = (typeof migrations)[number]['class'];

/**
 * Wraps a migration so that its statements qualify `gin_trgm_ops` with the schema of the extension. The search path
 * does not include that schema, because a migration could then reach the live tables.
 */
function namingExtension(Base: MigrationClass, schema: string): MigrationClass {
  return class extends (Base as new (...args: ConstructorParameters<typeof Migration>) => Migration) {
    override up(): ReturnType<Migration['up']> {
      return (Base.prototype as Migration).up.call(this);
    }

    override getQueries(): ReturnType<Migration['getQueries']> {
      return super
        .getQueries()
        .map((query) =>
          typeof query === 'string' ? query.replace(/(?<!\.)\bgin_trgm_ops\b/g, `${schema}.gin_trgm_ops`) : query,
        );
    }
  } as MigrationClass;
}

const qualified = (name: string): string => `${STAGING}.${quoted(name)}`;
