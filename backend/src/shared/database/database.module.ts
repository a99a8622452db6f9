import { type EntityClass, type EntitySchema, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type MikroORM as PostgresORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { migrateOnce } from './migrate.js';
import { ormConfig } from './orm-config.js';
import { POOL_LIMITS, POOL_PATIENCE } from './pool-limits.js';
import { SingleRunner } from './single-runner.js';

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
          useFactory: (settings: Settings) => ormConfig(settings.databaseUrl, entities, { ...POOL_LIMITS[settings.role], patienceMs: settings.runsWeb ? POOL_PATIENCE.web : POOL_PATIENCE.worker }),
        }),
      ],
      providers: [{ provide: MigrateAtStart, useFactory: (orm: PostgresORM) => new MigrateAtStart(orm), inject: [MikroORM] }, SingleRunner],
      exports: [SingleRunner],
    };
  }
}
