import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import type { Client } from '../../shared/http/client-of.js';
import { hashAddress } from '../../shared/mail/address.js';
import type { SystemMailContent } from '../../shared/mail/system-mail-content.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail-outbox.js';
import { PRODUCT_NAME } from '../../shared/words/product.js';
import { UnprovenMail } from './unproven-mail.service.js';
import { inWords } from './user-agent-words.js';

/** Whom a mail about an account goes to. */
export interface AccountMailTo {
  userId: string;
  email: string;
  emailNorm: string;
}

/**
 * Mails about an account's password and end; each within the caller's transaction, `kick` after the commit. Those about an account
 * whose address is unverified are left out once its mailbox has had its mails of the day.
 */
@Injectable()
export class AccountMail {
  constructor(private readonly settings: Settings, private readonly outbox: SystemMailOutbox, private readonly unproven: UnprovenMail) {}

  /** @returns whether it is mailed */
  async resetLink(em: EntityManager, to: AccountMailTo, token: string): Promise<boolean> {
    return this.enqueue(em, 'auth.reset', to, {
      subject: `Reset your ${PRODUCT_NAME} password`,
      heading: 'Choose a new password',
      paragraphs: [`Someone asked to reset the password of the account ${to.email}.`, 'If that was you, choose a new one. The link works once, for an hour.'],
      action: { label: 'Reset password', url: `${this.settings.appUrl}/reset-password?token=${token}` },
      after: ['If it was not you, there is nothing to do: the password stays as it is.'],
    });
  }

  async passwordChanged(em: EntityManager, to: AccountMailTo, client: Client): Promise<void> {
    await this.enqueue(em, 'auth.password_changed', to, {
      subject: `Your ${PRODUCT_NAME} password was changed`,
      heading: 'Your password was changed',
      paragraphs: [`The password of the account ${to.email} was changed just now, ${whereFrom(client)}. Other devices were signed out.`],
      action: { label: 'This was not me: reset password', url: `${this.settings.appUrl}/forgot-password` },
      after: ['If it was you, there is nothing to do.'],
    });
  }

  /** Before the account's credentials go: they say whether its address is verified. */
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

  private async enqueue(em: EntityManager, kind: string, to: AccountMailTo, content: SystemMailContent): Promise<boolean> {
    if (!(await this.unproven.mayTell(em, to))) return false;
    await this.outbox.enqueue(em, { kind, to: to.email, recipientHash: hashAddress(to.emailNorm), subjectId: to.userId, content });
    return true;
  }
}

const whereFrom = ({ ip, userAgent }: Client): string => `from ${inWords(userAgent)}${ip ? ` at ${ip}` : ''}`;
