import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/rows.js';
import { OnAppEvent } from '../../../shared/events/event-bus.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail-outbox.js';
import { AskRecords } from './ask-records.service.js';

/** Kind of a confirmation mail in the outbox. */
export const OPT_IN_MAIL = 'lists.opt-in';

/** What happens to confirmation mails once they are in the outbox. */
@Injectable()
export class OutreachWithdrawal {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly asks: AskRecords,
  ) {}

  /** Mails of a suspended or closed account that still wait for the mail server do not go out. */
  @OnAppEvent('user.suspended')
  async onSuspended({ userId }: { userId: string }): Promise<void> {
    await this.withdraw(userId, 'The account was suspended');
  }

  @OnAppEvent('user.deleted')
  async onDeleted({ userId }: { userId: string }): Promise<void> {
    await this.withdraw(userId, 'The account was deleted');
  }

  @OnAppEvent('system-mail.refused')
  async onRefused({ mailId, kind }: { mailId: string; kind: string }): Promise<void> {
    if (kind === OPT_IN_MAIL) await this.asks.noteBounced(this.em.fork(), mailId);
  }

  private async withdraw(userId: string, reason: string): Promise<void> {
    const em = this.em.fork();
    const lists = await rows<{ id: string }>(em, `select id from email_lists where owner_id = ?`, [userId]);
    await this.outbox.withdraw(em, OPT_IN_MAIL, lists.map(({ id }) => id), reason);
  }
}
