export {
  type AcceptedPlan,
  type PreparedPlan,
  type PlannedIdentity,
  type PlannedSend,
  PlannedSends,
  type SendEstimate,
} from './planned-sends.service.js';
export { type AccountHealth, type OpenSend, OpenSends, OpenSendsModule } from './report/open-sends.js';
export { SendAcceptedDto, SendEmailDto } from './send.dto.js';
export { ExcludedDto } from './send-preview.dto.js';
export type { RequestIdentity, SendRequest } from './send-request.js';
export { badKey, keyOfAnotherSend, placesHeld, dailyLimitReached } from './sending.errors.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
export { sendingEntities } from './tests/test-mail.entity.js';
export { TestMailPersonalData, TestMailPersonalDataModule } from './tests/test-mail-records.js';
