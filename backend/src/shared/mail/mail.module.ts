import { MailerModule, type MailerOptions } from '@nestjs-modules/mailer';
import { Global, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Settings } from '../config/settings.js';
import { traced } from '../tracing/spans.js';
import { BULK_TRANSPORT, type MailTransport } from './bulk-transport.js';
import { FailoverTransport } from './failover-transport.js';
import { MailAccounts } from './mail-accounts.js';
import { mailerBridge } from './mailer-bridge.js';
import { SmtpPool } from './smtp-pool.js';
import { SYSTEM_CONNECTIONS } from './system-connections.js';
import { SystemMailOutbox } from './system-mail-outbox.js';
import { SystemMailRetention } from './system-mail-retention.js';
import { SystemMailWorker } from './system-mail-worker.js';

/** By the accounts that sending keeps; asked at the first message, when every module stands. */
const byAccounts = (modules: ModuleRef, connections?: number): FailoverTransport =>
  new FailoverTransport(
    () => modules.get<MailAccounts>(MailAccounts as unknown as Type<MailAccounts>, { strict: false }),
    ({ options }) => new SmtpPool(connections ? { ...options, maxConnections: connections } : options),
    connections ? 'system' : 'bulk',
  );

/** Owing system mail: for every process. */
@Global()
@Module({ providers: [SystemMailOutbox, SystemMailRetention], exports: [SystemMailOutbox] })
export class MailModule {}

const SYSTEM_TRANSPORT = Symbol('SYSTEM_TRANSPORT');

/** The two ways out. System mail has connections of its own, so it never waits behind bulk. */
@Module({
  providers: [
    { provide: SYSTEM_TRANSPORT, inject: [ModuleRef], useFactory: (modules: ModuleRef) => byAccounts(modules, SYSTEM_CONNECTIONS) },
    {
      provide: BULK_TRANSPORT, inject: [ModuleRef, Settings],
      useFactory: (modules: ModuleRef, { tracesUrl }: Settings) => (tracesUrl ? traced(byAccounts(modules)) : byAccounts(modules)),
    },
  ],
  exports: [SYSTEM_TRANSPORT, BULK_TRANSPORT],
})
class TransportsModule implements OnApplicationShutdown {
  constructor(
    @Inject(BULK_TRANSPORT) private readonly bulk: MailTransport,
    @Inject(SYSTEM_TRANSPORT) private readonly system: MailTransport,
  ) {}

  onApplicationShutdown(): void {
    this.bulk.close();
    this.system.close();
  }
}

/** Handing mail over: for workers. */
@Global()
@Module({
  imports: [
    TransportsModule,
    MailerModule.forRootAsync({
      imports: [TransportsModule],
      inject: [SYSTEM_TRANSPORT],
      useFactory: (system: MailTransport): MailerOptions => ({ transport: mailerBridge(system) as MailerOptions['transport'] }),
    }),
  ],
  providers: [SystemMailWorker],
  exports: [TransportsModule],
})
export class MailWorkerModule {}
