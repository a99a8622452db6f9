import type { SendMailOptions } from 'nodemailer';

/** What the mail server said of an accepted message. */
export interface SendReceipt {
  messageId: string;
  response: string;
}

/** Hands a message to a mail server; both kinds of mail speak to it. Rejects with the library's error (command, responseCode, messageEnded). */
export interface MailTransport {
  send(message: SendMailOptions): Promise<SendReceipt>;
  /** @throws where the server cannot be reached or refuses the account */
  verify(): Promise<void>;
  close(): void;
}

/** Injection token of the transport that deliveries use. */
export const BULK_TRANSPORT = Symbol('BULK_TRANSPORT');
