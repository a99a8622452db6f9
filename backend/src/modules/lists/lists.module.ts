import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { Audience } from './audience.service.js';
import { ContactEditor } from './contact-editor.service.js';
import { ContactReader } from './contact-reader.service.js';
import { ContactsController } from './contacts.controller.js';
import { ImportIntake } from './import-intake.service.js';
import { ImportQuota } from './import-quota.service.js';
import { ImportReader } from './import-reader.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportRunner } from './jobs/import-runner.js';
import { ImportScheduler } from './jobs/import-scheduler.service.js';
import { ImportSweeper } from './jobs/import-sweeper.js';
import { OptInBatch } from './jobs/opt-in-batch.service.js';
import { OptInDispatcher } from './jobs/opt-in-dispatcher.js';
import { TrendCompactor } from './jobs/trend-compactor.js';
import { ListActivity } from './list-activity.service.js';
import { ListAccess } from './list-access.service.js';
import { ListEditor } from './list-editor.service.js';
import { ListReader } from './list-reader.service.js';
import { ListsRetention } from './lists-retention.js';
import { ListsController } from './lists.controller.js';
import { ListsExport } from './lists-export.service.js';
import { Lists } from './lists.service.js';
import { OneClickController } from './one-click.controller.js';
import { AttestedImports } from './oversight/attested-imports.service.js';
import { ContactOversight } from './oversight/contact-oversight.service.js';
import { SuppressionList } from './oversight/suppression-list.service.js';
import { OptInConfirmation } from './opt-in-confirmation.service.js';
import { OptInOnVerification } from './opt-in-on-verification.js';
import { AskOptOuts } from './outreach/ask-opt-outs.service.js';
import { AskRecords } from './outreach/ask-records.service.js';
import { ConfirmationStatus } from './outreach/confirmation-status.service.js';
import { NeverAskController } from './outreach/never-ask.controller.js';
import { OutreachBudget } from './outreach/outreach-budget.service.js';
import { OutreachWithdrawal } from './outreach/outreach-withdrawal.js';
import { Owners } from './owners.service.js';
import { PlanLimits } from './plan-limits.service.js';
import { PublicListsController } from './public-lists.controller.js';
import { PublicSubscribe } from './public-subscribe.service.js';
import { SenderChoices } from './sender-choices.service.js';
import { SubscribeController } from './subscribe.controller.js';
import { Suppressions } from './suppressions.service.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { UnsubscribeLinks } from './unsubscribe-links.service.js';
import { Unsubscribing } from './unsubscribing.service.js';
import { WrongTokens } from './wrong-tokens.service.js';

@Module({
  imports: [AuthModule],
  controllers: [
    PublicListsController, ListsController, ImportsController, ContactsController, SubscribeController, UnsubscribeController, OneClickController, NeverAskController,
  ],
  providers: [
    ListsExport, AttestedImports, ContactOversight, SuppressionList,
    ListReader, ListEditor, ContactReader, ContactEditor, ImportIntake, ImportQuota, ImportReader, PublicSubscribe, OptInConfirmation, UnsubscribeLinks, SenderChoices,
    Unsubscribing, WrongTokens, ListAccess, PlanLimits, Owners, OptInOnVerification, ListsRetention, Suppressions, Lists, ListActivity, Audience,
    OutreachBudget, AskRecords, AskOptOuts, OutreachWithdrawal, ConfirmationStatus,
  ],
  exports: [OutreachBudget, AskRecords, AskOptOuts, OutreachWithdrawal, AttestedImports, ContactOversight, SuppressionList, Lists, ListActivity, Audience, Suppressions, Owners, PlanLimits],
})
export class ListsModule {}

/** Imports, confirmation mails, the trends' adding-up, and their schedules. */
@Module({ imports: [AuthModule, ListsModule], providers: [OptInDispatcher, OptInBatch, ImportRunner, ImportScheduler, ImportSweeper, TrendCompactor] })
export class ListsWorkerModule {}
