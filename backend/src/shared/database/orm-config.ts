import { type EntityClass, type EntitySchema } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/index.js';
import { reclaimDeadConnections } from './pool.js';

type Entities = (EntityClass | EntitySchema)[];

/**
 * ORM configuration of the app, the command line and the tests. `statementMs` is the statement timeout in milliseconds;
 * 0: no timeout.
 */
export function ormConfig(
  clientUrl: string,
  entities: Entities,
  { poolMin = 0, poolMax = 20, snapshot = false, patienceMs = 0, statementMs = 0 } = {},
) {
  return defineConfig({
    clientUrl,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    forceUtcTimezone: true,
    colors: false,
    driverOptions: {
      onPoolCreated: reclaimDeadConnections,
      connectionTimeoutMillis: patienceMs,
      statement_timeout: statementMs,
    },
    pool: { min: poolMin, max: poolMax, idleTimeoutMillis: 30_000 },
    migrations: {
      migrationsList: migrations.map(withLockTimeout),
      path: 'migrations',
      snapshot,
      snapshotName: '.snapshot',
      transactional: true,
      allOrNothing: false,
    },
    schemaGenerator: { ignoreSchema: [], managementDbName: 'postgres' },
  });
}

/**
 * Gives a migration a lock timeout of two seconds, because other statements queue behind a DDL statement that waits for
 * a lock. migrateOnce retries the migration.
 */
function withLockTimeout({ name, class: MigrationClass }: (typeof migrations)[number]) {
  const WithLockTimeout = class extends (MigrationClass as new (
    ...args: ConstructorParameters<typeof Migration>
  ) => Migration) {
    override async up(): Promise<void> {
      if (this.isTransactional()) this.addSql(`set local lock_timeout = '2s'`);
      await (MigrationClass.prototype as Migration).up.call(this);
    }
  };
  return { name, class: WithLockTimeout };
}
