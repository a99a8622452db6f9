import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnModuleInit } from '@nestjs/common';
import { OnAppEvent } from '../../events/event-bus.js';
import type { SystemMailOutbox } from './system-mail-outbox.js';

/**
 * Decides which unsent mails of one kind may still be sent. The suspension or deletion of an account cancels its mails at
 * once. Most kinds also have a sweeper that calls `withdraw`, because an event may be lost, and because a mail that was
 * in progress during the suspension may have failed since and wait for a retry. The worker checks both conditions again
 * right before each attempt, because a day may pass between the first attempt and the last.
 */
export abstract class SystemMailWithdrawal implements OnModuleInit {
  protected abstract readonly kind: string;
  /** SQL condition on the mail `m`, without parameters: its sender may still send it. */
  protected abstract readonly wanted: string;
  /** SQL condition on the mail `m`, without parameters: its recipient has not opted out of it. */
  protected readonly notOptedOut: string = 'true';
  protected readonly reason: string = 'The account was suspended or closed';

  constructor(
    protected readonly em: EntityManager,
    protected readonly outbox: SystemMailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.registerConditions(this.kind, {
      wanted: this.wanted,
      notOptedOut: this.notOptedOut,
      unwantedReason: this.reason,
    });
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
