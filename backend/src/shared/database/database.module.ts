import { type EntityClass, type EntitySchema, MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type MikroORM as PostgresORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type DynamicModule, Global, Module, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { migrateOnce } from './migrate.js';
import { ormConfig } from './orm-config.js';
import { SingleRunner } from './single-runner.js';

/** How long one waits for a connection: who answers people says 503 before they have gone. */
const ANSWER_SOON_MS = 4_000;
const WORK_LATER_MS = 20_000;

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
          useFactory: (settings: Settings) => ormConfig(settings.databaseUrl, entities, { patienceMs: settings.runsWeb ? ANSWER_SOON_MS : WORK_LATER_MS }),
        }),
      ],
      providers: [{ provide: MigrateAtStart, useFactory: (orm: PostgresORM) => new MigrateAtStart(orm), inject: [MikroORM] }, SingleRunner],
      exports: [SingleRunner],
    };
  }
}
