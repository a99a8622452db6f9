import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { MailHostGuard } from '../../shared/mail/mail-host-guard.js';
import { MailAccounts } from '../../shared/mail/mail-accounts.js';
import { MailWorkerModule } from '../../shared/mail/mail.module.js';
import { AddressFaults } from './bounces/address-faults.service.js';
import { BounceIntake } from './bounces/bounce-intake.service.js';
import { BounceListener } from './bounces/bounce-listener.js';
import { MailWebhookController } from './bounces/mail-webhook.controller.js';
import { RefusalJudging } from './bounces/refusal-judging.js';
import { SenderReputation } from './bounces/sender-reputation.service.js';
import { SignedMail } from './bounces/signed-mail.service.js';
import { CancelledRest } from './cancelled-rest.service.js';
import { ChosenLists } from './chosen-lists.service.js';
import { Courtesy } from './courtesy.service.js';
import { DeliveriesExport } from './deliveries-export.service.js';
import { DeliveryBacklogs } from './delivery-backlogs.service.js';
import { DeliveryAddresses } from './delivery-addresses.service.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import { DeliveryCounts } from './delivery-counts.service.js';
import { DeliveryLog } from './delivery-log.service.js';
import { DeliveryRows } from './delivery-rows.service.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import { DeliveryTotals } from './delivery-totals.service.js';
import { EmailProviders } from './email-providers.service.js';
import { BacklogDispatcher } from './jobs/backlog-dispatcher.service.js';
import { BatchDelivery } from './jobs/batch-delivery.service.js';
import { ConsentChangeListener } from './jobs/consent-change-listener.service.js';
import { ConsentChanges } from './jobs/consent-changes.js';
import { DeliverableSends } from './jobs/deliverable-sends.service.js';
import { HandOver } from './jobs/hand-over.service.js';
import { GroupJournal } from './jobs/group-journal.service.js';
import { GroupMaker } from './jobs/group-maker.service.js';
import { RefusedLines } from './jobs/refused-lines.service.js';
import { ResultJournal } from './jobs/result-journal.service.js';
import { ResultWriter } from './jobs/result-writer.service.js';
import { DeliverRange } from './jobs/deliver-range.job.js';
import { LayOutSend } from './jobs/lay-out-send.job.js';
import { SendingSweeper } from './jobs/sending-sweeper.js';
import { MessageComposer } from './message-composer.js';
import { NetworkCap } from './network-cap.service.js';
import { ProviderBacklogs } from './provider-backlogs.service.js';
import { NetworkAccess } from './network-access.service.js';
import { ProgressPoller } from './progress-poller.service.js';
import { ProgressStream } from './progress-stream.service.js';
import { MailProviders } from './providers/mail-providers.service.js';
import { ProviderAccounts } from './providers/provider-accounts.service.js';
import { ProviderHealth } from './providers/provider-health.service.js';
import { ProviderTest } from './providers/provider-test.service.js';
import { RecipientCheck } from './recipient-check.service.js';
import { RetrySchedule } from './retry-schedule.js';
import { DeliveryQueue } from './scheduling/delivery-queue.service.js';
import { DeliveryScheduler } from './scheduling/delivery-scheduler.service.js';
import { LayoutScheduler } from './scheduling/layout-scheduler.service.js';
import { SendAcceptance } from './send-acceptance.service.js';
import { SendControlsController } from './send-controls.controller.js';
import { SendControls } from './send-controls.service.js';
import { SendController } from './send.controller.js';
import { SendLane } from './send-lane.service.js';
import { SendLayouts } from './send-layouts.service.js';
import { SendOutcome } from './send-outcome.service.js';
import { SendPreview } from './send-preview.service.js';
import { SendReport } from './send-report.service.js';
import { SendReportController } from './send-report.controller.js';
import { SendRight } from './send-right.service.js';
import { SendRetries } from './send-retries.service.js';
import { SendingMetrics } from './sending-metrics.service.js';
import { SendingRetention } from './sending-retention.js';
import { SendingTuning } from './sending-tuning.js';
import { AccountRate } from './throttling/account-rate.service.js';
import { DnsMxResolver, MxLookup, MxResolver } from './throttling/mx-lookup.service.js';
import { ProviderDirectory } from './throttling/provider-directory.service.js';
import { ProviderRateLimiter } from './throttling/provider-rate-limiter.service.js';
import { ProviderThrottles } from './throttling/provider-throttles.service.js';
import { ProviderTraffic } from './throttling/provider-traffic.service.js';
import { RateStore } from './throttling/rate-store.js';
import { UnsubscribeMarks } from './unsubscribe-marks.service.js';
import { WarmUp } from './warm-up.service.js';

/** Accepting sends and reporting on them. */
@Module({
  imports: [AuthModule, ListsModule, HistoryModule],
  controllers: [SendController, SendControlsController, SendReportController, MailWebhookController],
  providers: [
    AddressFaults, BounceIntake, CancelledRest, ChosenLists, Courtesy, DeliveriesExport, DeliveryAddresses, DeliveryBacklogs, DeliveryClaims, DeliveryCounts, DeliveryLog, DeliveryQueue, DeliveryRows, DeliveryTickets, DeliveryTotals, EmailProviders, MailHostGuard, MailProviders, MessageComposer,
    NetworkAccess, ProgressPoller, ProgressStream, ProviderAccounts, ProviderBacklogs, ProviderHealth, ProviderRateLimiter, ProviderTest, RateStore, RetrySchedule, SendAcceptance, SendControls, SendLayouts, SendOutcome, SendPreview, SendReport, SendRetries,
    SenderReputation, SendingMetrics, SendingRetention, SendingTuning, SignedMail, UnsubscribeMarks, WarmUp, { provide: MailAccounts, useExisting: ProviderAccounts },
  ],
  exports: [AddressFaults, BounceIntake, Courtesy, DeliveryBacklogs, DeliveryClaims, DeliveryQueue, DeliveryTickets, MailProviders, MessageComposer, ProviderAccounts, ProviderBacklogs, ProviderRateLimiter, ProviderTest, RetrySchedule, SendLayouts, SendOutcome, SendRetries, SenderReputation, SendingTuning],
})
export class SendingModule {}

/** Delivering what was accepted. */
@Module({
  imports: [SendingModule, AuthModule, ListsModule, HistoryModule, MailWorkerModule],
  providers: [
    AccountRate, BacklogDispatcher, BatchDelivery, ConsentChangeListener, ConsentChanges, DeliverableSends, DeliverRange, DeliveryScheduler, GroupJournal, GroupMaker, HandOver, LayOutSend, LayoutScheduler, MxLookup, NetworkCap,
    ProviderDirectory, ProviderThrottles, ProviderTraffic, RecipientCheck, RefusalJudging, RefusedLines, ResultJournal, ResultWriter, SendLane, SendRight, SendingSweeper, { provide: MxResolver, useClass: DnsMxResolver },
  ],
})
export class SendingWorkerModule {}

/** Taking mail to BOUNCE_DOMAIN in by SMTP. */
@Module({ imports: [SendingModule], providers: [BounceListener] })
export class BounceListenerModule {}
