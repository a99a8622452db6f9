import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ContactsModule } from '../contacts/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { AudiencePool } from './audience-pool.js';
import { Audience } from './audience.service.js';
import { ContactEditor } from './contacts/contact-editor.service.js';
import { ContactRemoval } from './contacts/contact-removal.service.js';
import { ContactFields } from './contacts/contact-fields.service.js';
import { ContactReader } from './contacts/contact-reader.service.js';
import { ContactSearchController, ContactsController } from './contacts/contacts.controller.js';
import { NamePartsBackfill } from './contacts/name-parts-backfill.js';
import { ProfileBackfill } from './profiles/profile-backfill.service.js';
import { ProfileBackfillSchedule } from './profiles/profile-backfill.schedule.js';
import { ContactIds } from './profiles/contact-ids.service.js';
import { ListTerms } from './profiles/list-terms.js';
import { ListTimeline } from './profiles/list-timeline.service.js';
import { ListMemberships } from './profiles/list-memberships.service.js';
import { MembershipNames } from './profiles/membership-names.js';
import { RecipientPager } from './contacts/recipient-pager.service.js';
import { ContactSearch } from './contacts/contact-search.service.js';
import { ImportIntake } from './imports/upload/import-intake.service.js';
import { ImportQuota } from './imports/import-quota.service.js';
import { DirectImportView } from './imports/direct/direct-import-view.service.js';
import { ImportsController } from './imports/direct/imports.controller.js';
import { ImportRunner } from './imports/running/import-runner.js';
import { ImportScheduler } from './imports/running/import-scheduler.service.js';
import { ImportSweeper } from './imports/running/import-sweeper.js';
import { ImportNotices } from './imports/import-notices.service.js';
import { ImportFailures } from './imports/running/import-failures.service.js';
import { ImportMappings } from './imports/import-mappings.service.js';
import { MailedContacts } from './imports/running/mailed-contacts.registry.js';
import { DomainCheck } from './imports/domains/domain-check.service.js';
import { DnsMailResolver, MailResolver } from './imports/domains/mail-resolver.js';
import { CheckStage } from './imports/running/check-stage.js';
import { CommitStage } from './imports/running/commit-stage.js';
import { ReadStage } from './imports/running/read-stage.js';
import { RowJudging } from './imports/running/row-judging.service.js';
import { UndoStage } from './imports/running/undo-stage.js';
import { AccountImportsController } from './imports/steps/account-imports.controller.js';
import { ImportActions } from './imports/steps/import-actions.service.js';
import { ImportEditor } from './imports/steps/import-editor.service.js';
import { ImportLines } from './imports/steps/import-lines.service.js';
import { ImportView } from './imports/steps/import-view.service.js';
import { RejectedLines } from './imports/steps/rejected-lines.service.js';
import { ConfirmationMailLimit } from './opt-in/confirmation-mail-limit.js';
import { OptInBatch } from './opt-in/opt-in-batch.service.js';
import { OptInDispatcher } from './opt-in/opt-in-dispatcher.js';
import { RemovalSweeper } from './my-lists/removal-sweeper.js';
import { TrendCompactor, ListActivity } from './my-lists/list-activity.service.js';
import { ListAccess } from './my-lists/list-access.service.js';
import { ListEditor } from './my-lists/list-editor.service.js';
import { ListFigures } from './my-lists/list-figures.service.js';
import { ListRemoval } from './my-lists/list-removal.service.js';
import { ListUses } from './my-lists/list-uses.registry.js';
import { ListReader } from './my-lists/list-reader.service.js';
import { ListsRetention } from './lists-retention.js';
import { ListsController } from './my-lists/lists.controller.js';
import { ListsExport } from './lists-export.service.js';
import { Lists } from './lists.service.js';
import { OneClickController, UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { AttestedImports } from './admin/attested-imports.service.js';
import { AdminContacts } from './admin/admin-contacts.service.js';
import { SuppressionList } from './admin/suppression-list.service.js';
import { OptInConfirmation, OptInOnVerification } from './opt-in/opt-in-confirmation.service.js';
import { AskOptOuts } from './outreach/ask-opt-outs.service.js';
import { AskRecords } from './outreach/ask-records.service.js';
import { ConfirmationStatus } from './outreach/confirmation-status.service.js';
import { NeverAskController } from './outreach/never-ask.controller.js';
import { OutreachBudget } from './outreach/outreach-budget.service.js';
import { OutreachWithdrawal } from './outreach/outreach-withdrawal.js';
import { ListOwners } from './list-owners.service.js';
import { PlanLimits } from './my-lists/plan-limits.service.js';
import { RecentImports } from './imports/direct/recent-imports.service.js';
import { PublicListsController, SubscribeController } from './opt-in/subscribe.controller.js';
import { PublicSubscribe } from './opt-in/public-subscribe.service.js';
import { SenderChoices } from './unsubscribe/sender-choices.service.js';
import { Suppressions } from './unsubscribe/suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe/unsubscribe-links.service.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';
import { InvalidTokenLimiter } from './opt-in/invalid-token-limiter.service.js';

/** Email lists: contacts, imports, opt-in, unsubscribe, suppressions, the outreach budget. */
@Module({
  imports: [AuthModule, ContactsModule],
  controllers: [
    PublicListsController,
    ContactSearchController,
    ListsController,
    ImportsController,
    AccountImportsController,
    ContactsController,
    SubscribeController,
    UnsubscribeController,
    OneClickController,
    NeverAskController,
  ],
  providers: [
    ListsExport,
    AttestedImports,
    AdminContacts,
    SuppressionList,
    ListReader,
    ListEditor,
    ListFigures,
    ListRemoval,
    ListUses,
    ContactFields,
    RecipientPager,
    ContactReader,
    ContactEditor,
    MembershipNames,
    ListMemberships,
    ListTimeline,
    ListTerms,
    ContactIds,
    ProfileBackfill,
    ContactRemoval,
    ContactSearch,
    ImportIntake,
    ImportQuota,
    DirectImportView,
    RecentImports,
    ImportMappings,
    RowJudging,
    MailedContacts,
    ImportActions,
    ImportEditor,
    ImportLines,
    ImportView,
    RejectedLines,
    PublicSubscribe,
    OptInConfirmation,
    UnsubscribeLinks,
    SenderChoices,
    UnsubscribeService,
    InvalidTokenLimiter,
    ListAccess,
    PlanLimits,
    ListOwners,
    OptInOnVerification,
    ListsRetention,
    Suppressions,
    Lists,
    ListActivity,
    Audience,
    AudiencePool,
    OutreachBudget,
    AskRecords,
    AskOptOuts,
    OutreachWithdrawal,
    ConfirmationStatus,
    ConfirmationMailLimit,
  ],
  exports: [
    ConfirmationMailLimit,
    InvalidTokenLimiter,
    ContactIds,
    ProfileBackfill,
    OutreachBudget,
    AskRecords,
    AskOptOuts,
    OutreachWithdrawal,
    AttestedImports,
    AdminContacts,
    SuppressionList,
    Lists,
    ListActivity,
    Audience,
    AudiencePool,
    ContactFields,
    RecipientPager,
    Suppressions,
    ListOwners,
    PlanLimits,
    RecentImports,
    ImportMappings,
    ImportQuota,
    RowJudging,
    MailedContacts,
    ListRemoval,
    ListUses,
    ContactRemoval,
  ],
})
export class ListsModule {}

/**
 * The part of lists that runs in workers: imports, confirmation mails and the compaction of trends, with their
 * schedules.
 */
@Module({
  imports: [AuthModule, NotificationsModule, ContactsModule, ListsModule],
  providers: [
    OptInDispatcher,
    OptInBatch,
    ImportRunner,
    ImportFailures,
    ImportNotices,
    ReadStage,
    CheckStage,
    CommitStage,
    UndoStage,
    DomainCheck,
    { provide: MailResolver, useClass: DnsMailResolver },
    ImportScheduler,
    ImportSweeper,
    NamePartsBackfill,
    ProfileBackfillSchedule,
    TrendCompactor,
    RemovalSweeper,
  ],
})
export class ListsWorkerModule {}
