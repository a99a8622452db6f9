import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { OPT_IN_MAIL } from '../outreach/ask-opt-outs.service.js';
import { notBefore } from './opt-in-throttle.js';

/** Kind of the mail that asks a person to become a tester. */
export const TESTER_MAIL = 'composing.tester';
/** Kinds of mail that ask for a confirmation; together they are limited to three a day for each mailbox. */
export const CONFIRMATION_MAILS = [OPT_IN_MAIL, TESTER_MAIL] as const;

/** Limits confirmation mails to one mailbox, for modules whose mails do not confirm a subscription. */
@Injectable()
export class ConfirmationMailLimit {
  constructor(private readonly outbox: SystemMailOutbox) {}

  /**
   * Time until the next mail about a subject may be sent. The caller holds a lock on the mailbox.
   * @returns milliseconds; 0 if it may be sent now
   */
  async waitMs(em: EntityManager, mailbox: Buffer, subjectId: string): Promise<number> {
    const recent = await this.outbox.recentOf(em, CONFIRMATION_MAILS, [mailbox], 24);
    const now = new Date((await rows<{ now: Date | string }>(em, 'select now()'))[0]!.now);
    const until = notBefore(recent.get(mailbox.toString('hex')) ?? [], subjectId, now);
    return until ? until.getTime() - now.getTime() : 0;
  }
}
