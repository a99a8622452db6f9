import { type DynamicModule, Module } from '@nestjs/common';
import { entities } from '../entities.js';
import { AdminRightsModule } from '../modules/auth/index.js';
import { SettingsModule } from '../shared/config/settings.module.js';
import type { Settings } from '../shared/config/settings.js';
import { DatabaseModule } from '../shared/database/database.module.js';

/** What the command line needs: the database and accounts, no queue and no mail. */
@Module({})
export class AdminCliModule {
  static with(settings: Settings): DynamicModule {
    return { module: AdminCliModule, imports: [SettingsModule.with(settings), DatabaseModule.with(entities), AdminRightsModule] };
  }
}
