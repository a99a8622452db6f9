import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OnAppEvent } from '../../../shared/events/event-bus.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../../auth/index.js';
import { AskRecords } from './ask-records.service.js';
import { OPT_IN_MAIL } from './ask-opt-outs.service.js';
import { REFUSES_CONFIRMATION_MAIL } from './refusal-sql.js';

/** How long a mail is postponed, in seconds; longer than the undo window and the removal after it. */
const HELD_SECONDS = 60;

/**
 * Cancels confirmation mails in the outbox that may no longer be sent: the owner was suspended or deleted, the list
 * deleted, or the person opted out. Postpones those of a list whose deletion can be undone.
 */
@Injectable()
export class OutreachWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = OPT_IN_MAIL;
  protected readonly wanted = `exists (select 1 from email_lists l where l.id = m.subject_id and (l.owner_id is null or not ${suspendedSql('l.owner_id')}))`;
  protected override readonly notOptedOut = `not exists (select 1 from email_lists l where l.id = m.subject_id and ${REFUSES_CONFIRMATION_MAIL})`;
  protected override readonly reason = 'The account was suspended or closed, or the list deleted';

  constructor(
    em: EntityManager,
    outbox: SystemMailOutbox,
    private readonly asks: AskRecords,
  ) {
    super(em, outbox);
  }

  @OnAppEvent('system-mail.refused')
  async onRefused({ mailId, kind }: { mailId: string; kind: string }): Promise<void> {
    if (kind === OPT_IN_MAIL) await this.asks.noteBounced(this.em.fork(), mailId);
  }

  /** Postpones mails for a deleted list until the deletion is undone, or is final and cancels them. */
  async hold(em: EntityManager, listId: string): Promise<void> {
    await this.outbox.postpone(em, OPT_IN_MAIL, listId, HELD_SECONDS);
  }
}
