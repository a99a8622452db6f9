import { type DynamicModule, Module } from '@nestjs/common';
import { entities } from '../entities.js';
import { AdminRightsModule } from '../modules/auth/index.js';
import { DraftPersonalDataModule, TesterPersonalDataModule } from '../modules/composing/index.js';
import { RecipientPersonalDataModule } from '../modules/delivery/index.js';
import { ContactPersonalDataModule } from '../modules/lists/index.js';
import { ProfilePersonalDataModule } from '../modules/contacts/index.js';
import { InviteePersonalDataModule } from '../modules/referrals/index.js';
import { ScheduledPersonalDataModule, WaitingSendsModule } from '../modules/schedules/index.js';
import { OpenSendsModule, TestMailPersonalDataModule } from '../modules/sending/index.js';
import { DataSubjectRequests } from './data-subject-requests.js';
import { SettingsModule } from '../shared/config/settings.module.js';
import type { Settings } from '../shared/config/settings.js';
import { DatabaseModule } from '../shared/database/database.module.js';

/** Modules of the command line: database and accounts, but no queues, mail or web server. */
@Module({})
export class AdminCliModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: AdminCliModule,
      providers: [DataSubjectRequests],
      imports: [
        SettingsModule.with(settings),
        DatabaseModule.with(entities),
        AdminRightsModule,
        ContactPersonalDataModule,
        RecipientPersonalDataModule,
        OpenSendsModule,
        InviteePersonalDataModule,
        ProfilePersonalDataModule,
        DraftPersonalDataModule,
        TesterPersonalDataModule,
        TestMailPersonalDataModule,
        ScheduledPersonalDataModule,
        WaitingSendsModule,
      ],
    };
  }
}
