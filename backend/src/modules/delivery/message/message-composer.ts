import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { SendMailOptions } from 'nodemailer';
import { asHeaderLine } from '../../../shared/text/one-line.js';
import { Settings } from '../../../shared/config/settings.js';
import { wireAddress } from '../../../shared/mail/address.js';
import { EnvelopeSenders } from '../../../shared/mail/envelope-sender.js';
import { PRODUCT_NAME } from '../../../shared/enums.js';
import {
  type ComposedMessage,
  fillPieces,
  LIST_NAME,
  type Piece,
  type TagPiece,
} from '../../../shared/merge-tags/pieces.js';
import { cleanValue, filledSubject, NO_VALUES, type TagValues, valueOf } from '../../../shared/merge-tags/values.js';
import { escapeHtml } from '../../../shared/text/html.js';
import { displayName, headerName } from './header-text.js';
import { documentPart } from './document-layout.js';
import { contentToHtml, derivedHtml, htmlPart, textPart, type Footer } from './message-layout.js';

/** The properties of a send from which its messages are composed. */
export interface ComposableSend {
  id: string;
  userId: string;
  subject: string;
  content: string;
  sentAt: Date;
  senderName: string;
  senderAgency: string | null;
  /** Business address of the sender on one line; null or absent: none. */
  senderAddress?: string | null;
  replyTo: string;
  /**
   * The texts of a send with merge tags, a preview line or a document. `subject` and `content` then only describe these
   * texts.
   */
  message?: ComposedMessage | null;
  /** Whether files are attached. The encoded files follow the body as its tail. */
  attached?: boolean;
}

/** A send with the values that all its messages share, computed once. */
export interface PreparedSend extends ComposableSend {
  contentHtml: string;
  fromName: string;
  subjectLine: string;
  /** Null: the send has no preheader. */
  preheader: string | null;
  /** Whether the HTML was rendered from a document and has the document layout. */
  isDocument: boolean;
  /** Texts with merge tags. If null, all recipients get the same texts; otherwise, the strings above are empty. */
  pieces: PreparedPieces | null;
}

/** Texts with merge tags, always including the HTML. */
export type PreparedPieces = ComposedMessage & { html: Piece[] };

/** The part of a message that depends on its recipient. */
export interface Recipient {
  deliveryId: string;
  emailListId: string;
  email: string;
  name: string | null;
  listName: string;
  unsubscribeToken: string;
  introductionDue: boolean;
  /** Values of the merge tags, except the list's name. */
  values?: TagValues;
}

/** The properties of a recipient that the text and HTML parts depend on. */
export type PartsRecipient = Pick<Recipient, 'listName' | 'unsubscribeToken' | 'introductionDue' | 'values'>;

/** A message as shown in a preview. */
export interface RenderedMessage {
  subject: string;
  preheader: string;
  text: string;
  html: string;
}

/** Composes the message to one recipient; see decisions.md: message-format. */
@Injectable()
export class MessageComposer {
  private readonly envelopeSenders: EnvelopeSenders;

  constructor(private readonly settings: Settings) {
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  prepare(send: ComposableSend): PreparedSend {
    const { message } = send;
    const content = message ? '' : withLineFeeds(send.content);
    return {
      ...send,
      content,
      sentAt: new Date(send.sentAt),
      contentHtml: contentToHtml(content),
      fromName: `${headerName(send.senderName)} via ${PRODUCT_NAME}`,
      subjectLine: asHeaderLine(send.subject),
      preheader: null,
      message: undefined,
      isDocument: Boolean(message?.html),
      pieces: message ? piecesOf(message) : null,
    };
  }

  /** Fills in the merge tags for one recipient. Returns a send without tags unchanged. */
  private filled(
    send: PreparedSend,
    { listName, values = NO_VALUES }: Pick<Recipient, 'listName' | 'values'>,
    asHtml = escapeHtml,
  ): PreparedSend {
    const { pieces } = send;
    if (!pieces) return send;
    const known = withListName(values, listName);
    const subject = filledSubject(pieces.subject, known);
    return {
      ...send,
      pieces: null,
      subject,
      subjectLine: asHeaderLine(subject),
      preheader: filledPreheader(pieces.preheader, (tag) => valueOf(tag, known)),
      content: fillPieces(pieces.text, (tag) => valueOf(tag, known)),
      contentHtml: fillPieces(pieces.html, (tag) => asHtml(valueOf(tag, known))),
    };
  }

  /** Composes the message to one recipient. Every attempt results in the same Message-ID, Date and content. */
  compose(prepared: PreparedSend, recipient: Recipient): SendMailOptions {
    const send = this.filled(prepared, recipient);
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
        'List-Id': {
          prepared: true,
          foldLines: true,
          value: `${displayName(recipient.listName)} <${recipient.emailListId}.lists.${mailDomain}>`,
        },
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Feedback-ID': `c${short(send.id)}:l${short(recipient.emailListId)}:u${short(send.userId)}:staffcast`,
        Precedence: 'bulk',
      } as SendMailOptions['headers'],
      ...this.parts(send, recipient),
    };
  }

  /** The text and HTML parts of a message, as sent and as previewed. */
  parts(prepared: PreparedSend, recipient: PartsRecipient): { text: string; html: string } {
    const { listName, unsubscribeToken, introductionDue } = recipient;
    const send = this.filled(prepared, recipient);
    const footer: Footer = {
      senderName: send.senderName,
      senderAgency: send.senderAgency,
      senderAddress: send.senderAddress ?? null,
      listName,
      introductionDue,
      postalAddress: this.settings.postalAddress,
      unsubscribeUrl: this.unsubscribeUrl(send, unsubscribeToken),
    };
    return {
      text: textPart(send.content, footer),
      html: (send.isDocument ? documentPart : htmlPart)(send.subject, send.contentHtml, footer, send.preheader),
    };
  }

  /**
   * Renders the message to one recipient for display.
   * @param marks whether to highlight the filled-in values in the HTML part
   */
  rendered(prepared: PreparedSend, recipient: PartsRecipient, marks = false): RenderedMessage {
    const send = this.filled(prepared, recipient, marks ? highlighted : escapeHtml);
    return { subject: send.subject, preheader: send.preheader ?? '', ...this.parts(send, recipient) };
  }

  /** Envelope sender of a message, to which its bounces are returned. */
  envelopeFrom(deliveryId: string): string {
    const { mailFrom, bounceDomain } = this.settings;
    return bounceDomain ? this.envelopeSenders.of('b', deliveryId, bounceDomain) : mailFrom;
  }

  messageId(deliveryId: string): string {
    return `<${deliveryId}@${this.settings.mailDomain}>`;
  }

  /**
   * URL of the unsubscribe page. `m` is the time of the send in seconds, in base 36. See decisions.md:
   * unsubscribe-links.
   */
  private unsubscribeUrl(send: PreparedSend, token: string): string {
    return `${this.settings.appUrl}/unsubscribe/${token}?m=${Math.floor(send.sentAt.getTime() / 1000).toString(36)}`;
  }
}

const highlighted = (value: string): string =>
  value === '' ? '' : `<mark style="background:#ffe08a;color:#1b1f24">${escapeHtml(value)}</mark>`;

const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

function piecesOf(message: ComposedMessage): PreparedPieces {
  const text = message.text.map((piece) => (typeof piece === 'string' ? withLineFeeds(piece) : piece));
  return { ...message, text, html: message.html ?? derivedHtml(text) };
}

/** The values of a recipient's merge tags, including the list's name. */
function withListName(values: TagValues, listName: string): TagValues {
  const name = cleanValue(listName);
  return {
    get: (tag) => (tag === LIST_NAME ? name : values.get(tag)),
    has: (tag) => tag === LIST_NAME || values.has(tag),
  };
}

/** A short opaque id, as feedback loops require. */
const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12);

/**
 * Fills in the preheader's merge tags.
 * @returns null if the send has no preheader
 */
export const filledPreheader = (preheader: readonly Piece[], valueOf: (tag: TagPiece) => string): string | null =>
  preheader.some((piece) => piece !== '') ? fillPieces(preheader, valueOf) : null;
