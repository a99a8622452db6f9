import type { EntityManager } from '@mikro-orm/postgresql';
import { OnAppEvent } from '../../events/event-bus.js';
import type { SystemMailOutbox } from './system-mail-outbox.js';

/**
 * Cancels unsent mails of one kind when an account is suspended or deleted. `withdraw` is also run by a sweeper: an
 * event may be lost, and a mail in progress during the suspension may since wait for a retry.
 */
export abstract class SystemMailWithdrawal {
  protected abstract readonly kind: string;
  /** SQL condition on the mail `m`: it may still be sent. */
  protected abstract readonly wanted: string;
  protected readonly reason: string = 'The account was suspended or closed';

  constructor(
    protected readonly em: EntityManager,
    protected readonly outbox: SystemMailOutbox,
  ) {}

  @OnAppEvent('user.suspended')
  async onSuspended(): Promise<void> {
    await this.withdraw();
  }

  @OnAppEvent('user.deleted')
  async onDeleted(): Promise<void> {
    await this.withdraw();
  }

  async withdraw(): Promise<void> {
    await this.outbox.withdrawUnless(this.em.fork(), this.kind, this.wanted, this.reason);
  }
}
