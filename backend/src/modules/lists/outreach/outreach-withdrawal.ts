import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OnAppEvent } from '../../../shared/events/event-bus.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail-outbox.js';
import { suspendedSql } from '../../auth/index.js';
import { AskRecords } from './ask-records.service.js';
import { OPT_IN_MAIL } from './mail-kinds.js';

/** What happens to confirmation mails once they are in the outbox. */
@Injectable()
export class OutreachWithdrawal {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly asks: AskRecords,
  ) {}

  @OnAppEvent('user.suspended')
  async onSuspended(): Promise<void> {
    await this.withdraw();
  }

  @OnAppEvent('user.deleted')
  async onDeleted(): Promise<void> {
    await this.withdraw();
  }

  @OnAppEvent('system-mail.refused')
  async onRefused({ mailId, kind }: { mailId: string; kind: string }): Promise<void> {
    if (kind === OPT_IN_MAIL) await this.asks.noteBounced(this.em.fork(), mailId);
  }

  /**
   * Mails of suspended and closed accounts, and of lists that are gone, that still wait for the mail server do not go out. Repeated by a
   * sweep: a process may die between a suspension and its event, and a mail that was under way then may wait for another try now.
   */
  async withdraw(): Promise<void> {
    await this.outbox.withdrawUnless(this.em.fork(), OPT_IN_MAIL, IS_WANTED, 'The account was suspended or closed, or the list deleted');
  }
}

const IS_WANTED = `exists (select 1 from email_lists l where l.id = m.subject_id and (l.owner_id is null or not ${suspendedSql('l.owner_id')}))`;
