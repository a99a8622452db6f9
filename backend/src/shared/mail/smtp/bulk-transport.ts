import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

/** An unsigned message in wire format: ASCII, CRLF line ends. Leading dots are not doubled yet. */
export interface ReadyMessage {
  envelope: { from: string; to: string };
  /** Header lines, without the empty line that ends the header. */
  head: string;
  body: string;
  /**
   * Bytes after the body that many messages share. They are sent by reference and never copied. If there is a tail, the
   * last line of the body must not be empty. The tail must be ASCII with CRLF line ends; no line may start with a dot;
   * the last line must be terminated and not empty; DKIM's relaxed form of the tail must be equal to the tail.
   */
  tail?: Buffer;
  /** True if the composer guarantees that no body line starts with a dot and that the last line is terminated. */
  isPlain?: boolean;
  /**
   * Returns the body in DKIM's relaxed form. Given if the composer can produce this form faster than by parsing the
   * body.
   */
  relaxedBody?: () => string;
  /** Id of the account whose quota and rate limit admitted the message; for bulk mail only. */
  reservedAccount?: string;
  /** Absent: nothing can stop the message. */
  gate?: MessageGate;
}

/** Asked whether a message may still leave. If it may not, the transport rejects it with the code EREVOKED. */
export interface MessageGate {
  /** Checked right before the envelope is sent. True also where `isLost` is. */
  readonly isRevoked: boolean;
  /**
   * Whether another worker may have taken the message over. Checked right before the body is sent, because the server's
   * answer to the envelope may take minutes, or this process may have been suspended. The connection ends.
   */
  readonly isLost: boolean;
}

/** The mail server's answer to an accepted message. */
export interface SendReceipt {
  response: string;
  /** Id of the account that sent the message, if there are several accounts. Errors carry it, too. */
  account?: string;
}

/**
 * Sends messages to a mail server. The promise of `send` always settles. It rejects with nodemailer's error fields
 * (code, command, responseCode, response) and `messageEnded`, which tells whether the message had been transmitted
 * completely.
 */
export interface MailTransport {
  send(message: ReadyMessage): Promise<SendReceipt>;
  /** Maximum number of messages that are sent in parallel. */
  readonly width?: number;
  /** @throws if the server is unreachable or refuses the account */
  verify(): Promise<void>;
  close(): void;
}

const PLAIN_ADDRESS = /^[\x21-\x3b\x3d\x3f-\x7e][\x21-\x3b\x3d\x3f\x41-\x7e]*@[\x21-\x3b\x3d\x3f-\x7e]+$/;

/**
 * Checks that sender and recipient are one plain address each, because other text could add recipients. An empty sender
 * is allowed: it is the null reverse path.
 * @returns the error; undefined if the envelope can be sent
 */
export function envelopeFault({ from, to }: ReadyMessage['envelope']): Error | undefined {
  if (PLAIN_ADDRESS.test(to) && (from === '' || PLAIN_ADDRESS.test(from))) return undefined;
  return Object.assign(new Error('the envelope is not one plain address each'), { messageEnded: false });
}

/** Injection token of the transport for deliveries. */
export const BULK_TRANSPORT = Symbol('BULK_TRANSPORT');
/** Injection token of the transport for test mails. */
export const TEST_TRANSPORT = Symbol('TEST_TRANSPORT');

/** Composes a message with nodemailer, for mail that is not bulk mail. */
export async function composeMessage(options: SendMailOptions): Promise<ReadyMessage> {
  const node = new MailComposer(options as never).compile();
  const { from, to } = node.getEnvelope();
  return splitMessage(String(await node.build()), { from: from || '', to: to[0] ?? '' });
}

/**
 * Splits a composed message into head and body. Converts line ends to CRLF, because nodemailer's composer does not
 * convert them in 7-bit parts.
 */
export function splitMessage(composed: string, envelope: ReadyMessage['envelope']): ReadyMessage {
  const raw = composed.replace(/\r\n?|\n/g, '\r\n');
  const end = raw.indexOf('\r\n\r\n');
  return { envelope, head: raw.slice(0, end + 2), body: raw.slice(end + 4) };
}
