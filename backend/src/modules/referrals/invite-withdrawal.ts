import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail-outbox.js';
import { suspendedSql } from '../auth/index.js';
import { INVITE_MAIL } from '../lists/index.js';

/** Takes invites of suspended and closed accounts out of the outbox. */
@Injectable()
export class InviteWithdrawal {
  constructor(private readonly em: EntityManager, private readonly outbox: SystemMailOutbox) {}

  @OnAppEvent('user.suspended')
  async onSuspended(): Promise<void> {
    await this.withdraw();
  }

  @OnAppEvent('user.deleted')
  async onDeleted(): Promise<void> {
    await this.withdraw();
  }

  /** Repeated by the sweep: a process may die between a suspension and its event, and a mail that was under way then may wait for another try now. */
  async withdraw(): Promise<void> {
    await this.outbox.withdrawUnless(this.em.fork(), INVITE_MAIL, IS_WANTED, 'The account was suspended or closed');
  }
}

const IS_WANTED = `exists (select 1 from referral_invites i where i.id = m.subject_id and not ${suspendedSql('i.inviter_user_id')})`;
