import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SendMailOptions } from 'nodemailer';
import { Settings } from '../../shared/config/settings.js';
import { wireAddress } from '../../shared/mail/address.js';
import { EnvelopeSenders } from '../../shared/mail/envelope-sender.js';
import { PRODUCT_NAME } from '../../shared/words/product.js';
import { displayName, headerName } from './header-text.js';
import { contentToHtml, htmlPart, textPart, type Footer } from './message-layout.js';

/** What a message needs to know of its send. */
export interface ComposableSend {
  id: string;
  userId: string;
  subject: string;
  content: string;
  sentAt: Date;
  senderName: string;
  senderAgency: string | null;
  replyTo: string;
}

/** What is the same in all messages of a send, made once. */
export interface PreparedSend extends ComposableSend {
  contentHtml: string;
  fromName: string;
  subjectLine: string;
}

/** What differs between two messages of a send. */
export interface Recipient {
  deliveryId: string;
  emailListId: string;
  email: string;
  name: string | null;
  listName: string;
  unsubscribeToken: string;
  introductionDue: boolean;
}

/** Makes the one message to one recipient (guide/email.md §1-§3). */
@Injectable()
export class MessageComposer {
  private readonly envelopeSenders: EnvelopeSenders;

  constructor(private readonly settings: Settings) {
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  prepare(send: ComposableSend): PreparedSend {
    const content = send.content.replace(/\r\n?/g, '\n');
    return {
      ...send,
      content,
      sentAt: new Date(send.sentAt),
      contentHtml: contentToHtml(content),
      fromName: `${headerName(send.senderName)} via ${PRODUCT_NAME}`,
      subjectLine: send.subject.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' '),
    };
  }

  /** The same message at every try: Message-ID, Date and content are fixed by the delivery and the send. */
  compose(send: PreparedSend, recipient: Recipient): SendMailOptions {
    const { mailDomain, mailFrom } = this.settings;
    const to = wireAddress(recipient.email);
    if (!to) throw new Error('the address cannot be mailed');
    const unsubscribeUrl = this.unsubscribeUrl(send, recipient.unsubscribeToken);
    return {
      from: { name: send.fromName, address: mailFrom },
      replyTo: { name: headerName(send.senderName), address: send.replyTo },
      to: { name: headerName(recipient.name ?? ''), address: to },
      envelope: { from: this.envelopeFrom(recipient.deliveryId), to: [to] },
      subject: send.subjectLine,
      messageId: this.messageId(recipient.deliveryId),
      date: send.sentAt,
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      headers: {
        'List-Id': { prepared: true, foldLines: true, value: `${displayName(recipient.listName)} <${recipient.emailListId}.lists.${mailDomain}>` },
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Feedback-ID': `c${short(send.id)}:l${short(recipient.emailListId)}:u${short(send.userId)}:staffcast`,
        Precedence: 'bulk',
      } as SendMailOptions['headers'],
      ...this.parts(send, recipient),
    };
  }

  /** The two readable parts; the preview shows these same ones. */
  parts(send: PreparedSend, { listName, unsubscribeToken, introductionDue }: Pick<Recipient, 'listName' | 'unsubscribeToken' | 'introductionDue'>): { text: string; html: string } {
    const footer: Footer = {
      senderName: send.senderName, senderAgency: send.senderAgency, listName, introductionDue,
      postalAddress: this.settings.postalAddress, unsubscribeUrl: this.unsubscribeUrl(send, unsubscribeToken),
    };
    return { text: textPart(send.content, footer), html: htmlPart(send.subject, send.contentHtml, footer) };
  }

  /** Where bounces of this message go. */
  envelopeFrom(deliveryId: string): string {
    const { mailFrom, bounceDomain } = this.settings;
    return bounceDomain ? this.envelopeSenders.of('b', deliveryId, bounceDomain) : mailFrom;
  }

  messageId(deliveryId: string): string {
    return `<${deliveryId}@${this.settings.mailDomain}>`;
  }

  /** A page, never the API; `m` tells the page how fresh the mail is (guide/email.md §4). */
  private unsubscribeUrl(send: PreparedSend, token: string): string {
    return `${this.settings.appUrl}/unsubscribe/${token}?m=${Math.floor(send.sentAt.getTime() / 1000).toString(36)}`;
  }
}

/** Opaque and short, as feedback loops want them. */
const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12);
