import { Module } from '@nestjs/common';
import { MailWorkerModule } from '../../shared/mail/mail.module.js';
import { AuthModule } from '../auth/index.js';
import { BouncesModule } from '../bounces/index.js';
import { ComposingModule } from '../composing/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { HistoryModule } from '../history/index.js';
import { ContactsModule } from '../contacts/index.js';
import { ListsModule } from '../lists/index.js';
import { AttachmentGuard } from './attachment-guard.service.js';
import { AudienceAcceptance } from './audience/audience-acceptance.service.js';
import { AudienceEstimates } from './audience/audience-estimates.service.js';
import { AudiencePreviews } from './audience/audience-previews.service.js';
import { ChosenAudience } from './audience/chosen-audience.service.js';
import { ComposedSends } from './composed-sends.service.js';
import { ChosenLists, NetworkAccess } from './network-access.service.js';
import { DeliveryMessage } from './render/delivery-message.service.js';
import { SenderPreviewController } from './render/sender-preview.controller.js';
import { SendRender } from './render/send-render.service.js';
import { DeliveriesExport } from './report/deliveries-export.service.js';
import { DeliveryCounts, DeliveryTotals } from './report/delivery-totals.service.js';
import { DeliveryLog } from './report/delivery-log.service.js';
import { LeftOutController } from './report/left-out.controller.js';
import { LeftOutReport } from './report/left-out.service.js';
import { LeftOutExport } from './report/left-out-export.service.js';
import { DeliveryRows } from './report/delivery-rows.service.js';
import { ProgressPoller, ProgressStream } from './report/progress-poller.service.js';
import { ProgressWatch } from './report/progress-watch.service.js';
import { RunningTasksController, SendReportController } from './report/send-report.controller.js';
import { RunningTasks } from './report/running-tasks.service.js';
import { SendReport } from './report/send-report.service.js';
import { PlannedSends } from './planned-sends.service.js';
import { EmptyTags } from './check/empty-tags.service.js';
import { Forecasts } from './check/forecasts.service.js';
import { HostLookup } from './check/host-lookup.js';
import { LinkCheckWorker } from './check/link-check-worker.js';
import { LinkChecks } from './check/link-checks.service.js';
import { SendCheck } from './check/send-check.service.js';
import { SendAcceptance } from './send-acceptance.service.js';
import { SendControlsController } from './send-controls.controller.js';
import { SendControls } from './send-controls.service.js';
import { SendPreview } from './send-preview.service.js';
import { SendController } from './send.controller.js';
import { TestMailExport } from './tests/test-mail-records.js';
import { TestMailRetention } from './tests/test-mail-retention.js';
import { TestMailWorker } from './tests/test-mail-worker.js';
import { TestMailOutbox } from './tests/test-mail-outbox.service.js';
import { TestRequests } from './tests/test-requests.service.js';
import { TestRequestsController } from './tests/test-requests.controller.js';
import { AttachmentRegistration } from './attachment-registration.js';
import { SentCompositionReader } from './sent-composition.reader.js';

/** Accepts sends, controls them and reports on them. */
@Module({
  imports: [AuthModule, ContactsModule, ListsModule, HistoryModule, ComposingModule, DeliveryModule, BouncesModule],
  controllers: [
    TestRequestsController,
    SendController,
    SendControlsController,
    SendReportController,
    LeftOutController,
    RunningTasksController,
    SenderPreviewController,
  ],
  providers: [
    AttachmentGuard,
    AudienceAcceptance,
    AudienceEstimates,
    AudiencePreviews,
    ChosenAudience,
    ChosenLists,
    ComposedSends,
    DeliveriesExport,
    DeliveryCounts,
    DeliveryLog,
    DeliveryMessage,
    DeliveryRows,
    DeliveryTotals,
    LeftOutReport,
    LeftOutExport,
    NetworkAccess,
    PlannedSends,
    ProgressPoller,
    ProgressStream,
    ProgressWatch,
    RunningTasks,
    SendAcceptance,
    EmptyTags,
    Forecasts,
    LinkChecks,
    AttachmentRegistration,
    SendCheck,
    SendControls,
    SendPreview,
    SendRender,
    SendReport,
    SentCompositionReader,
    TestMailExport,
    TestMailRetention,
    TestMailOutbox,
    TestRequests,
  ],
  exports: [LinkChecks, PlannedSends, TestMailOutbox],
})
export class SendingModule {}

/** Sends test mails and looks up the hosts of links. Part of workers only. */
@Module({
  imports: [SendingModule, AuthModule, ListsModule, ComposingModule, DeliveryModule, MailWorkerModule],
  providers: [HostLookup, LinkCheckWorker, TestMailWorker],
})
export class SendingWorkerModule {}
