import { MailerModule, type MailerOptions } from '@nestjs-modules/mailer';
import { Global, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Settings } from '../config/settings.js';
import { traced } from '../tracing/spans.js';
import { accountTransport } from './smtp/account-transport.js';
import { BULK_TRANSPORT, TEST_TRANSPORT, type MailTransport } from './smtp/bulk-transport.js';
import { FailoverTransport } from './smtp/failover-transport.js';
import { MailAccounts } from './smtp/mail-accounts.js';
import { mailerBridge } from './smtp/mailer-bridge.js';
import { SYSTEM_CONNECTIONS, SystemMailWorker } from './system-mail/system-mail-worker.js';
import { SystemMailOutbox } from './system-mail/system-mail-outbox.js';
import { SystemMailRetention } from './system-mail/system-mail-retention.js';

/**
 * Creates a transport that looks up the mail accounts at its first message, because a module above this one provides
 * them.
 */
const byAccounts = (modules: ModuleRef, connections?: number): FailoverTransport =>
  new FailoverTransport(
    () => modules.get<MailAccounts>(MailAccounts as unknown as Type<MailAccounts>, { strict: false }),
    ({ options }) => accountTransport(connections ? { ...options, maxConnections: connections } : options),
    connections ? 'system' : 'bulk',
  );

/** Enqueues system mail. Part of every process. */
@Global()
@Module({ providers: [SystemMailOutbox, SystemMailRetention], exports: [SystemMailOutbox] })
export class MailModule {}

const SYSTEM_TRANSPORT = Symbol('SYSTEM_TRANSPORT');
/** Connections reserved for test mails, so that test mails and bulk mail do not delay each other. */
const TEST_CONNECTIONS = 2;

/**
 * Transports for system mail, test mails and bulk mail. System mail and test mails have their own connections, so that
 * they never wait for bulk mail.
 */
@Module({
  providers: [
    {
      provide: SYSTEM_TRANSPORT,
      inject: [ModuleRef],
      useFactory: (modules: ModuleRef) => byAccounts(modules, SYSTEM_CONNECTIONS),
    },
    {
      provide: TEST_TRANSPORT,
      inject: [ModuleRef],
      useFactory: (modules: ModuleRef) => byAccounts(modules, TEST_CONNECTIONS),
    },
    {
      provide: BULK_TRANSPORT,
      inject: [ModuleRef, Settings],
      useFactory: (modules: ModuleRef, { tracesUrl }: Settings) =>
        tracesUrl ? traced(byAccounts(modules)) : byAccounts(modules),
    },
  ],
  exports: [SYSTEM_TRANSPORT, BULK_TRANSPORT, TEST_TRANSPORT],
})
class TransportsModule implements OnApplicationShutdown {
  constructor(
    @Inject(BULK_TRANSPORT) private readonly bulk: MailTransport,
    @Inject(SYSTEM_TRANSPORT) private readonly system: MailTransport,
    @Inject(TEST_TRANSPORT) private readonly tests: MailTransport,
  ) {}

  onApplicationShutdown(): void {
    this.bulk.close();
    this.system.close();
    this.tests.close();
  }
}

/** Delivers system mail. Part of workers only. */
@Global()
@Module({
  imports: [
    TransportsModule,
    MailerModule.forRootAsync({
      imports: [TransportsModule],
      inject: [SYSTEM_TRANSPORT],
      useFactory: (system: MailTransport): MailerOptions => ({
        transport: mailerBridge(system) as MailerOptions['transport'],
      }),
    }),
  ],
  providers: [SystemMailWorker],
  exports: [TransportsModule],
})
export class MailWorkerModule {}
