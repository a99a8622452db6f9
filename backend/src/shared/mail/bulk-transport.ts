import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

/** A message as it goes on the wire, but for the signature: ASCII, every line ended by CRLF, no dot doubled yet. */
export interface ReadyMessage {
  envelope: { from: string; to: string };
  /** The header lines, without the empty one after them. */
  head: string;
  body: string;
  /** The maker knows that no line of the body starts with a dot and that the last one is ended. */
  isPlain?: boolean;
  /** The body as DKIM's relaxed form wants it, where the maker knows it cheaper than by looking at the body again. */
  relaxedBody?: () => string;
  /** Id of the account that has a place for it, where bulk mail has to have one. */
  placeWith?: string;
  /** Asked right before the message is handed to a connection: a revoked one is refused with the code EREVOKED. */
  gate?: { readonly isRevoked: boolean };
}

/** What the mail server said of an accepted message. */
export interface SendReceipt {
  response: string;
  /** Id of the account that it went by, where there are several; an error carries it too. */
  account?: string;
}

/**
 * Hands a message to a mail server; both kinds of mail speak to it. Always settles: rejects with the library's kind of error
 * (code, command, responseCode, response) and our own mark `messageEnded`, whether the message had been handed over whole.
 */
export interface MailTransport {
  send(message: ReadyMessage): Promise<SendReceipt>;
  /** How many messages it carries at a time. */
  readonly width?: number;
  /** @throws where the server cannot be reached or refuses the account */
  verify(): Promise<void>;
  close(): void;
}

/** Injection token of the transport that deliveries use. */
export const BULK_TRANSPORT = Symbol('BULK_TRANSPORT');

/** Composes a single message by the library: for everything that is not sent by the thousand. */
export async function composeMessage(options: SendMailOptions): Promise<ReadyMessage> {
  const node = new MailComposer(options as never).compile();
  const { from, to } = node.getEnvelope();
  return splitMessage(String(await node.build()), { from: from || '', to: to[0] ?? '' });
}

/** Cuts a composed message into what the interface wants; the composer leaves the line ends of 7-bit parts as they were written. */
export function splitMessage(composed: string, envelope: ReadyMessage['envelope']): ReadyMessage {
  const raw = composed.replace(/\r\n?|\n/g, '\r\n');
  const end = raw.indexOf('\r\n\r\n');
  return { envelope, head: raw.slice(0, end + 2), body: raw.slice(end + 4) };
}
