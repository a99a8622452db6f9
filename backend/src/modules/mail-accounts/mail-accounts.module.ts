import { Module } from '@nestjs/common';
import { MailAccounts } from '../../shared/mail/smtp/mail-accounts.js';
import { MailHostGuard } from '../../shared/mail/smtp/mail-host-guard.js';
import { AuthModule } from '../auth/index.js';
import { DefaultMailAccount } from './default-mail-account.service.js';
import { MailAccountTuning, ProviderTest } from './provider-test.service.js';
import { MailProviders } from './mail-providers.service.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import { ProviderHealth } from './provider-health.service.js';
import { ProviderRateLimiter } from './rate-limits/provider-rate-limiter.service.js';
import { RateStore } from './rate-limits/rate-store.js';
import { WarmUp } from './warm-up.service.js';

/** The SMTP accounts that our mail is sent through: settings, health, warm-up and rate limits. */
@Module({
  imports: [AuthModule],
  providers: [
    DefaultMailAccount,
    MailAccountTuning,
    MailHostGuard,
    MailProviders,
    ProviderAccounts,
    ProviderHealth,
    ProviderRateLimiter,
    ProviderTest,
    RateStore,
    WarmUp,
    { provide: MailAccounts, useExisting: ProviderAccounts },
  ],
  exports: [DefaultMailAccount, MailProviders, ProviderAccounts, ProviderRateLimiter, ProviderTest],
})
export class MailAccountsModule {}
