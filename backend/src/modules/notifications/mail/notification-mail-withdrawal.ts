import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../../shared/mail/system-mail/system-mail-withdrawal.js';
import { NOTIFICATION_MAIL, SUMMARY_MAIL } from './notification.email.js';

/** SQL condition on the mail `m`: its account still exists and is not suspended. */
const WANTED = `exists (select 1 from users u where u.id = m.subject_id and u.suspended_at is null and u.deleted_at is null)`;

/** Cancels unsent mails about single notifications of suspended and deleted accounts. */
@Injectable()
export class NotificationWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = NOTIFICATION_MAIL;
  protected readonly wanted = WANTED;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}

/** Cancels unsent summaries of suspended and deleted accounts. */
@Injectable()
export class SummaryWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = SUMMARY_MAIL;
  protected readonly wanted = WANTED;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
