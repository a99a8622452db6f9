import { type EntityClass, type EntitySchema, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type MikroORM as PostgresORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module, type OnModuleInit } from '@nestjs/common';
import { type ProcessRole, Settings } from '../config/settings.js';
import { migrateOnce } from './migrate.js';
import { ormConfig } from './orm-config.js';
import { SingleRunner } from './single-runner.js';

/** How long one waits for a connection, in milliseconds: who answers people says 503 before they have gone. Tests on a busy machine wait longer. */
export const POOL_PATIENCE = { web: 4_000, worker: 20_000 };

/**
 * Connections of an instance: how many it keeps, and how many it opens at most. Those who serve people keep enough for a burst, and no
 * more than a processor has use for: who waits a moment here does not compete with those before him. Files and streams hold one each.
 */
const POOL: Record<ProcessRole, { poolMin: number; poolMax: number }> = { web: { poolMin: 10, poolMax: 12 }, all: { poolMin: 10, poolMax: 20 }, worker: { poolMin: 0, poolMax: 20 } };

/** Migrates before any module starts its work. */
class MigrateAtStart implements OnModuleInit {
  constructor(private readonly orm: PostgresORM) {}

  async onModuleInit(): Promise<void> {
    await migrateOnce(this.orm);
  }
}

@Global()
@Module({})
export class DatabaseModule {
  static with(entities: (EntityClass | EntitySchema)[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          inject: [Settings],
          useFactory: (settings: Settings) => ormConfig(settings.databaseUrl, entities, { ...POOL[settings.role], patienceMs: settings.runsWeb ? POOL_PATIENCE.web : POOL_PATIENCE.worker }),
        }),
      ],
      providers: [{ provide: MigrateAtStart, useFactory: (orm: PostgresORM) => new MigrateAtStart(orm), inject: [MikroORM] }, SingleRunner],
      exports: [SingleRunner],
    };
  }
}
