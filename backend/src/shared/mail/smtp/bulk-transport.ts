import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

/** A message in wire format, still unsigned: ASCII, CRLF line ends, dots not yet doubled. */
export interface ReadyMessage {
  envelope: { from: string; to: string };
  /** Header lines without the empty line after them. */
  head: string;
  body: string;
  /**
   * What follows the body, where many messages share it: sent by reference, never copied. The body then ends with a line
   * that is not empty. The tail is ASCII with CRLF, no line starts with a dot, the last one is terminated and not empty,
   * and it is its own relaxed form.
   */
  tail?: Buffer;
  /** True where the composer guarantees that no body line starts with a dot and that the last line is terminated. */
  isPlain?: boolean;
  /** The body in DKIM's relaxed form, where the composer can produce it cheaper than by parsing the body. */
  relaxedBody?: () => string;
  /** Id of the account whose rate limit has admitted the message; bulk mail only. */
  reservedAccount?: string;
  /** Checked right before transmission: a revoked message is rejected with the code EREVOKED. */
  gate?: { readonly isRevoked: boolean };
}

/** The mail server's answer to an accepted message. */
export interface SendReceipt {
  response: string;
  /** Id of the account that sent it, where there are several; errors carry it too. */
  account?: string;
}

/**
 * Sends a message to a mail server; used by system and bulk mail. Always settles. Rejects with nodemailer's error
 * fields (code, command, responseCode, response) and `messageEnded`: whether the message had been transmitted
 * completely.
 */
export interface MailTransport {
  send(message: ReadyMessage): Promise<SendReceipt>;
  /** Number of messages in parallel. */
  readonly width?: number;
  /** @throws where the server is unreachable or refuses the account */
  verify(): Promise<void>;
  close(): void;
}

const PLAIN_ADDRESS = /^[\x21-\x3b\x3d\x3f-\x7e][\x21-\x3b\x3d\x3f\x41-\x7e]*@[\x21-\x3b\x3d\x3f-\x7e]+$/;

/**
 * Error for an envelope that is not one plain address each, which could name further recipients; undefined where it can
 * be sent. An empty sender is the null reverse path.
 */
export function envelopeFault({ from, to }: ReadyMessage['envelope']): Error | undefined {
  if (PLAIN_ADDRESS.test(to) && (from === '' || PLAIN_ADDRESS.test(from))) return undefined;
  return Object.assign(new Error('the envelope is not one plain address each'), { messageEnded: false });
}

/** Injection token of the transport for deliveries. */
export const BULK_TRANSPORT = Symbol('BULK_TRANSPORT');
/** Injection token of the transport for test mails. */
export const TEST_TRANSPORT = Symbol('TEST_TRANSPORT');

/** Composes one message with nodemailer, for mail that is not sent in bulk. */
export async function composeMessage(options: SendMailOptions): Promise<ReadyMessage> {
  const node = new MailComposer(options as never).compile();
  const { from, to } = node.getEnvelope();
  return splitMessage(String(await node.build()), { from: from || '', to: to[0] ?? '' });
}

/**
 * Splits a composed message into head and body and normalises line ends, which the composer leaves as written in 7-bit
 * parts.
 */
export function splitMessage(composed: string, envelope: ReadyMessage['envelope']): ReadyMessage {
  const raw = composed.replace(/\r\n?|\n/g, '\r\n');
  const end = raw.indexOf('\r\n\r\n');
  return { envelope, head: raw.slice(0, end + 2), body: raw.slice(end + 4) };
}
