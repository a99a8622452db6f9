export { ActivityRollup } from './activity/activity-rollup.service.js';
export {
  type AudienceChoice,
  type AudienceCounts,
  LEFT_OUT_REASONS,
  type LeftOutReason,
  type LeftOutSample,
} from './audience/audience-choice.js';
export { type LateReason, LateReasons } from './audience/late-reasons.js';
export { AudienceEvaluation } from './audience/audience-evaluation.service.js';
export { ChoiceResolver } from './audience/choice-resolver.service.js';
export { planForLargeAudience } from './audience/large-audience-plan.js';
export { type ReportedAudience, SendAudiences } from './audience/send-audiences.service.js';
export { CancelRemaining } from './cancel-remaining.service.js';
export { DeliveryTuning } from './delivery-tuning.js';
export { sendHasEnded, unknownSend, unverified } from './delivery.errors.js';
export { DeliveryModule, DeliveryWorkerModule } from './delivery.module.js';
export { deliveryEntities } from './entities/index.js';
export { DeliveryAddresses } from './expansion/delivery-addresses.service.js';
export { SendExpansions } from './expansion/send-expansions.service.js';
export { SendRetries } from './expansion/send-retries.service.js';
export { type AttachedFile } from './message/attachment-tail.js';
export { AttachmentsUnavailable, AttachmentEncoder } from './message/attachment-encoder.service.js';
export { type AttachmentWithdrawal, AttachmentRegistry, type AttachmentSource } from './message/attachment.registry.js';
export { messageAsTyped } from './message/stored-pieces.js';
export { type ComposableSend, MessageComposer, type PreparedSend } from './message/message-composer.js';
export { PreparedMessages } from './message/prepared-message.js';
export { type NewSendMessage, SendMessages, type WrittenMessage } from './message/send-messages.service.js';
export { RecipientPersonalData, RecipientPersonalDataModule } from './recipient-personal-data.js';
export { DeliveryJobs } from './scheduling/delivery-jobs.service.js';
export { SendFinalizer } from './send-finalizer.service.js';
export { DeliveryBacklogs } from './throttling/backlogs/delivery-backlogs.service.js';
export { ProviderBacklogDto } from './throttling/backlogs/provider-backlog.dto.js';
export {
  expectedEnd,
  type ProviderBacklog,
  ProviderBacklogs,
  shownName,
} from './throttling/backlogs/provider-backlogs.service.js';
