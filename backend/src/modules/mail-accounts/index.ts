export { DefaultMailAccount } from './default-mail-account.service.js';
export { mailAccountsEntities } from './email-provider.entity.js';
export { MailAccountsModule } from './mail-accounts.module.js';
export { MailProviders } from './mail-providers.service.js';
export { ProviderAccounts, type ReservedQuota } from './provider-accounts.service.js';
export type { ProviderConfig } from './provider-config.js';
export { ProviderTest } from './provider-test.service.js';
export {
  AddProviderDto,
  ChangeProviderDto,
  MailSecretDto,
  ProviderDto,
  ProviderTestDto,
  TestProviderDto,
} from './provider.dto.js';
export { rateOf } from './rate-limits/learned-rate.js';
export { pausedUntilSql } from './rate-limits/rate-store.js';
export { ProviderRateLimiter } from './rate-limits/provider-rate-limiter.service.js';
export {
  type LimiterState,
  MAX_POLICY_PAUSE_SECONDS,
  NEVER_USED,
  type SlotRequest,
  type Reservation,
  reserve,
} from './rate-limits/rate-limit.js';
