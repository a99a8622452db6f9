import { type EntityClass, type EntitySchema } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/index.js';
import { reclaimDeadConnections } from './dead-connections.js';

type Entities = (EntityClass | EntitySchema)[];

/** One ORM configuration for the app, the command line and the tests. */
export function ormConfig(clientUrl: string, entities: Entities, { poolMax = 20, snapshot = false } = {}) {
  return defineConfig({
    clientUrl,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    forceUtcTimezone: true,
    driverOptions: { onPoolCreated: reclaimDeadConnections },
    pool: { min: 0, max: poolMax, idleTimeoutMillis: 30_000 },
    migrations: { migrationsList: migrations, path: 'migrations', snapshot, snapshotName: '.snapshot', transactional: true, allOrNothing: true },
    schemaGenerator: { ignoreSchema: [], managementDbName: 'postgres' },
  });
}
