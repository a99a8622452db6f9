import { type DynamicModule, Module } from '@nestjs/common';
import { entities } from '../entities.js';
import { AdminRightsModule } from '../modules/auth/index.js';
import { PersonRecords } from './person-records.js';
import { ContactRecordsModule } from '../modules/lists/index.js';
import { InviteeRecordsModule } from '../modules/referrals/index.js';
import { OpenSendsModule, RecipientRecordsModule } from '../modules/sending/index.js';
import { SettingsModule } from '../shared/config/settings.module.js';
import type { Settings } from '../shared/config/settings.js';
import { DatabaseModule } from '../shared/database/database.module.js';

/** What the command line needs: the database and accounts, no queue, no mail and no web. */
@Module({})
export class AdminCliModule {
  static with(settings: Settings): DynamicModule {
    return { module: AdminCliModule, providers: [PersonRecords], imports: [SettingsModule.with(settings), DatabaseModule.with(entities), AdminRightsModule, ContactRecordsModule, RecipientRecordsModule, OpenSendsModule, InviteeRecordsModule] };
  }
}
