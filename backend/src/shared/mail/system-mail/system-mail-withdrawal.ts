import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnModuleInit } from '@nestjs/common';
import { OnAppEvent } from '../../events/event-bus.js';
import type { SystemMailOutbox } from './system-mail-outbox.js';

/**
 * Cancels unsent mails of one kind when an account is suspended or deleted. A sweeper calls `withdraw`, too, because an
 * event may be lost, and because a mail that was in progress during the suspension may have failed since and wait for a
 * retry. Whether the recipient still accepts the mail is checked right before each attempt: between the first attempt
 * and the last, a day may pass.
 */
export abstract class SystemMailWithdrawal implements OnModuleInit {
  protected abstract readonly kind: string;
  /** SQL condition on the mail `m` that is true if the mail may still be sent. */
  protected abstract readonly wanted: string;
  /** SQL condition on the mail `m` that is true unless the recipient has refused the mail since it was written. */
  protected readonly accepted: string = 'true';
  protected readonly reason: string = 'The account was suspended or closed';

  constructor(
    protected readonly em: EntityManager,
    protected readonly outbox: SystemMailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.setCondition(this.kind, { wanted: this.wanted, accepted: this.accepted, reason: this.reason });
  }

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
