import { Module } from '@nestjs/common';
import { MailWorkerModule } from '../../shared/mail/mail.module.js';
import { AuthModule } from '../auth/index.js';
import { HistoryModule } from '../history/index.js';
import { ContactsModule } from '../contacts/index.js';
import { ListsModule } from '../lists/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { ActivityRollup } from './activity/activity-rollup.service.js';
import { ActivityRollupSchedule } from './activity/activity-rollup.schedule.js';
import { RecentMail } from './activity/recent-mail.service.js';
import { SentTerm } from './activity/sent-term.service.js';
import { DeliveryTimeline } from './delivery-timeline.service.js';
import { MailAccountsModule } from '../mail-accounts/index.js';
import { LateReasons } from './audience/late-reasons.js';
import { AudienceEvaluation } from './audience/audience-evaluation.service.js';
import { ChoiceResolver } from './audience/choice-resolver.service.js';
import { LeftOutTimeline } from './audience/left-out-timeline.service.js';
import { SendAudiences } from './audience/send-audiences.service.js';
import { BatchDelivery } from './batches/batch-delivery.service.js';
import { BatchAttachments } from './batches/batch-attachments.service.js';
import { BatchLeases } from './batches/batch-leases.service.js';
import { BatchPreparer } from './batches/batch-preparer.service.js';
import { ConsentChangeListener } from './batches/consent-change-listener.service.js';
import { ConsentChanges } from './batches/consent-changes.js';
import { DeliverRange } from './batches/deliver-range.job.js';
import { SendLoader } from './batches/send-loader.service.js';
import { DeliveryClaims } from './batches/delivery-claims.service.js';
import { IntroductionRecorder } from './batches/introduction-recorder.service.js';
import { MessageDispatcher } from './batches/message-dispatcher.service.js';
import { NetworkCap } from './batches/network-cap.service.js';
import { RecipientCheck } from './batches/recipient-check.service.js';
import { SendEntitlement } from './batches/send-entitlement.service.js';
import { UnsentMessages } from './batches/unsent-messages.service.js';
import { CancelRemaining } from './cancel-remaining.service.js';
import { DeliveryMetrics } from './delivery-metrics.service.js';
import { DeliveryRetention } from './delivery-retention.js';
import { DeliverySweeper } from './delivery-sweeper.js';
import { DeliveryTuning } from './delivery-tuning.js';
import { BackgroundThrottle } from './expansion/background-throttle.service.js';
import { DeliveryAddresses } from './expansion/delivery-addresses.service.js';
import { ExpandAudience, ExpansionScheduler } from './expansion/expansion-scheduler.service.js';
import { SendExpansions } from './expansion/send-expansions.service.js';
import { SendRetries } from './expansion/send-retries.service.js';
import { SendEndNotices } from './send-end-notices.service.js';
import { AttachmentEncoder } from './message/attachment-encoder.service.js';
import { MessageComposer } from './message/message-composer.js';
import { AttachmentRegistry } from './message/attachment.registry.js';
import { SendMessages } from './message/send-messages.service.js';
import { OutboundCircuitBreaker } from './outbound-circuit-breaker.js';
import { RejectedLogLines } from './results/rejected-log-lines.service.js';
import { LogRecovery } from './results/log-recovery.service.js';
import { ResultLog } from './results/result-log.service.js';
import { ResultWriter } from './results/result-writer.service.js';
import { StartLog } from './results/start-log.service.js';
import { RetrySchedule } from './retry-schedule.js';
import { DeliveryJobs } from './scheduling/delivery-jobs.service.js';
import { DeliveryScheduler } from './scheduling/delivery-scheduler.service.js';
import { RangeLeases } from './scheduling/range-leases.service.js';
import { SendFinalizer } from './send-finalizer.service.js';
import { ConfiguredAccountRate } from './throttling/configured-account-rate.service.js';
import { BacklogLeases } from './throttling/backlogs/backlog-leases.service.js';
import { BacklogDispatcher } from './throttling/backlogs/backlog-dispatcher.service.js';
import { DeliveryBacklogs } from './throttling/backlogs/delivery-backlogs.service.js';
import { DnsMxResolver, MxLookup, MxResolver } from './throttling/mx-lookup.service.js';
import { ProviderBacklogs } from './throttling/backlogs/provider-backlogs.service.js';
import { ProviderResolver } from './throttling/provider-resolver.service.js';
import { ProviderThrottles } from './throttling/provider-throttles.service.js';
import { ProviderTraffic } from './throttling/provider-traffic.service.js';
import { UnsubscribeMarks } from './unsubscribe-marks.service.js';

/** Providers that other modules use. */
const EXPORTED = [
  ActivityRollup,
  AttachmentEncoder,
  AudienceEvaluation,
  LateReasons,
  CancelRemaining,
  ChoiceResolver,
  BackgroundThrottle,
  DeliveryAddresses,
  DeliveryBacklogs,
  DeliveryClaims,
  RangeLeases,
  DeliveryJobs,
  MessageComposer,
  ProviderBacklogs,
  RetrySchedule,
  DeliveryTuning,
  AttachmentRegistry,
  SendAudiences,
  SendExpansions,
  SendFinalizer,
  SendMessages,
  SendRetries,
];

/**
 * Delivery rows and their state changes, audiences of sends, and when each profile was mailed. Needed by web and worker
 * processes.
 */
@Module({
  imports: [AuthModule, NotificationsModule, ContactsModule, ListsModule, HistoryModule, MailAccountsModule],
  providers: [
    ...EXPORTED,
    SendEndNotices,
    DeliveryTimeline,
    LeftOutTimeline,
    DeliveryMetrics,
    DeliveryRetention,
    UnsubscribeMarks,
    RecentMail,
    SentTerm,
  ],
  exports: EXPORTED,
})
export class DeliveryModule {}

/** Delivers accepted sends. Runs in worker processes only. */
@Module({
  imports: [
    DeliveryModule,
    AuthModule,
    ContactsModule,
    ListsModule,
    HistoryModule,
    MailAccountsModule,
    MailWorkerModule,
  ],
  providers: [
    ConfiguredAccountRate,
    ActivityRollupSchedule,
    BacklogDispatcher,
    BacklogLeases,
    BatchDelivery,
    ConsentChangeListener,
    ConsentChanges,
    SendLoader,
    DeliverRange,
    DeliveryScheduler,
    StartLog,
    BatchAttachments,
    BatchLeases,
    BatchPreparer,
    IntroductionRecorder,
    LogRecovery,
    UnsentMessages,
    MessageDispatcher,
    ExpandAudience,
    ExpansionScheduler,
    MxLookup,
    NetworkCap,
    ProviderResolver,
    ProviderThrottles,
    ProviderTraffic,
    RecipientCheck,
    RejectedLogLines,
    ResultLog,
    ResultWriter,
    OutboundCircuitBreaker,
    SendEntitlement,
    DeliverySweeper,
    { provide: MxResolver, useClass: DnsMxResolver },
  ],
})
export class DeliveryWorkerModule {}
