export { AdminOnly, Anonymous, CrossSite, Public } from './requests/access.decorators.js';
export { adminsOnly } from './pages/admin-pages.js';
export { ApiErrors, ErrorBody, FieldFault } from './responses/error-body.dto.js';
export {
  Authenticator,
  type Client,
  clientOf,
  CurrentUser,
  type RequestUser,
  userOf,
} from './requests/request-user.js';
export { DocumentBody, IgnoredBody, JsonBody, KB, RawBody, StreamedBody } from './requests/body.decorators.js';
export { networkOf, wideNetworkOf } from './rate-limits/client-network.js';
export { collection } from './requests/collection.js';
export { configureHttp } from './configure-http.js';
export { answerOf, answerOfStatus, sendError } from './responses/error.filter.js';
export { type EventStream, EventStreams } from './responses/event-streams.service.js';
export { findUp } from './pages/web-app.js';
export { HttpModule } from './http.module.js';
export { IfMatch, setVersion } from './requests/if-match.js';
export { isBearer, OriginGuard } from './requests/origin.guard.js';
export { type Page } from './requests/paged.js';
export { AccountConcurrency, limitSearches } from './rate-limits/account-concurrency.js';
export { PageQuery, PartQuery } from './requests/page-query.dto.js';
export { RateLimit, RateLimitGuard } from './rate-limits/rate-limit.guard.js';
export { RateLimits, tooMany } from './rate-limits/rate-limits.service.js';
export { ReasonDto } from './requests/reason.dto.js';
export { readJson } from './requests/request-body.js';
export { streamCsv } from './responses/streams.js';
export { AbsentIfEmpty, AbsentIfNull, Trim } from './requests/text.decorators.js';
export { UuidParam } from './requests/uuid-param.js';
export { createValidationPipe, validationFailed, SkipValidation } from './requests/validation.pipe.js';
