import { MailerModule, type MailerOptions } from '@nestjs-modules/mailer';
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { BULK_TRANSPORT, type MailTransport } from './bulk-transport.js';
import { mailerBridge } from './mailer-bridge.js';
import { SmtpPool } from './smtp-pool.js';
import { smtpOptions } from './smtp-options.js';
import { SystemMailOutbox } from './system-mail-outbox.js';
import { SystemMailRetention } from './system-mail-retention.js';
import { SystemMailWorker } from './system-mail-worker.js';

const BULK_CONNECTIONS = 10;
const SYSTEM_CONNECTIONS = 3;

/** Owing system mail: for every process. */
@Global()
@Module({ providers: [SystemMailOutbox, SystemMailRetention], exports: [SystemMailOutbox] })
export class MailModule {}

/** Handing mail over: for workers. System mail has connections of its own, so it never waits behind bulk. */
@Global()
@Module({
  imports: [
    MailerModule.forRootAsync({
      imports: [],
      inject: [Settings],
      useFactory: (settings: Settings): MailerOptions => ({ transport: mailerBridge(new SmtpPool(smtpOptions(settings, SYSTEM_CONNECTIONS))) as MailerOptions['transport'] }),
    }),
  ],
  providers: [
    SystemMailWorker,
    { provide: BULK_TRANSPORT, inject: [Settings], useFactory: (settings: Settings) => new SmtpPool(smtpOptions(settings, BULK_CONNECTIONS)) },
  ],
  exports: [BULK_TRANSPORT],
})
export class MailWorkerModule implements OnApplicationShutdown {
  constructor(@Inject(BULK_TRANSPORT) private readonly bulk: MailTransport) {}

  onApplicationShutdown(): void {
    this.bulk.close();
  }
}
