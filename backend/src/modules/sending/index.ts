export {
  type AcceptedPlan,
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
export { SendingModule } from './sending.module.js';
