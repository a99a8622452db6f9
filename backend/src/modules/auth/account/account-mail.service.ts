import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { hashAddress } from '../../../shared/mail/address.js';
import type { SystemMailContent } from '../../../shared/mail/system-mail/system-mail-content.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { PRODUCT_NAME } from '../../../shared/enums.js';
import { UnverifiedMailLimit } from '../verification/unverified-mail-limit.service.js';
import { describeUserAgent } from '../audit/describe-user-agent.js';

/** The account that a mail is about, with the address that receives it. */
export interface AccountMailTo {
  userId: string;
  email: string;
  emailNorm: string;
}

/**
 * Mails about the password and the deletion of an account. Call the methods within a transaction, and `kick` after its
 * commit. No mail is sent to an unverified address whose mailbox has reached its daily limit.
 */
@Injectable()
export class AccountMail {
  constructor(
    private readonly settings: Settings,
    private readonly outbox: SystemMailOutbox,
    private readonly unverifiedMail: UnverifiedMailLimit,
  ) {}

  /** @returns whether the mail was enqueued */
  async resetLink(em: EntityManager, to: AccountMailTo, token: string): Promise<boolean> {
    return this.enqueue(em, 'auth.reset', to, {
      subject: `Reset your ${PRODUCT_NAME} password`,
      heading: 'Choose a new password',
      paragraphs: [
        `Someone asked to reset the password of the account ${to.email}.`,
        'If that was you, choose a new one. The link works once, for an hour.',
      ],
      action: { label: 'Reset password', url: `${this.settings.appUrl}/reset-password?token=${token}` },
      after: ['If it was not you, there is nothing to do: the password stays as it is.'],
    });
  }

  async passwordChanged(em: EntityManager, to: AccountMailTo, client: Client): Promise<void> {
    await this.enqueue(em, 'auth.password_changed', to, {
      subject: `Your ${PRODUCT_NAME} password was changed`,
      heading: 'Your password was changed',
      paragraphs: [
        `The password of the account ${to.email} was changed just now, ${whereFrom(client)}. Other devices were signed out.`,
      ],
      action: { label: 'This was not me: reset password', url: `${this.settings.appUrl}/forgot-password` },
      after: ['If it was you, there is nothing to do.'],
    });
  }

  /** Must be called before the credentials are deleted, because they record whether the address is verified. */
  async accountDeleted(em: EntityManager, to: AccountMailTo): Promise<void> {
    await this.enqueue(em, 'auth.deleted', to, {
      subject: `Your ${PRODUCT_NAME} account was deleted`,
      heading: 'Your account was deleted',
      paragraphs: [
        `The account ${to.email} was deleted as you asked, with its lists, contacts and history. Mail that was still waiting does not go out any more.`,
        'That people have unsubscribed stays known, without their addresses.',
      ],
      action: { label: `Open ${PRODUCT_NAME}`, url: this.settings.appUrl },
    });
  }

  kick(): Promise<void> {
    return this.outbox.kick();
  }

  private async enqueue(
    em: EntityManager,
    kind: string,
    to: AccountMailTo,
    content: SystemMailContent,
  ): Promise<boolean> {
    if (!(await this.unverifiedMail.allowsNotice(em, to))) return false;
    await this.outbox.enqueue(em, {
      kind,
      to: to.email,
      recipientHash: hashAddress(to.emailNorm),
      subjectId: to.userId,
      content,
    });
    return true;
  }
}

const whereFrom = ({ ip, userAgent }: Client): string => `from ${describeUserAgent(userAgent)}${ip ? ` at ${ip}` : ''}`;
