import { type EntityClass, type EntitySchema, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { MikroORM as PostgresORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { migrateOnce } from './migrate.js';
import { ormConfig } from './orm-config.js';
import { POOL_LIMITS, POOL_PATIENCE, STATEMENT_MS } from './pool.js';
import { SingleRunner } from './single-runner.js';

/** Runs migrations before any module starts its work. */
class MigrateAtStart implements OnModuleInit {
  constructor(
    private readonly orm: PostgresORM,
    private readonly settings: Settings,
    private readonly entities: (EntityClass | EntitySchema)[],
  ) {}

  /**
   * Migrates on separate connections if this role has a statement timeout: building an index may take longer than the
   * timeout.
   */
  async onModuleInit(): Promise<void> {
    if (STATEMENT_MS[this.settings.role] === 0) return migrateOnce(this.orm);
    const orm = await PostgresORM.init(ormConfig(this.settings.databaseUrl, this.entities, { poolMax: 4 }));
    try {
      await migrateOnce(orm);
    } finally {
      await orm.close(true);
    }
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
          useFactory: (settings: Settings) =>
            ormConfig(settings.databaseUrl, entities, {
              ...POOL_LIMITS[settings.role],
              patienceMs: settings.runsWeb ? POOL_PATIENCE.web : POOL_PATIENCE.worker,
              statementMs: STATEMENT_MS[settings.role],
            }),
        }),
      ],
      providers: [
        {
          provide: MigrateAtStart,
          useFactory: (orm: PostgresORM, settings: Settings) => new MigrateAtStart(orm, settings, entities),
          inject: [MikroORM, Settings],
        },
        SingleRunner,
      ],
      exports: [SingleRunner],
    };
  }
}
