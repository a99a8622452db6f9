import type { SMTPPoolOptions } from 'nodemailer';

/** Options of the library's transport, and how the host's address is found where it has to be checked first. */
export type AccountOptions = SMTPPoolOptions & { pool: true } & ConnectionGuard;

export interface ConnectionGuard {
  /** Gives the address to connect to, at each connection; TLS still speaks to the host by its name. @throws where the host is refused */
  addressOf?: (host: string) => Promise<string>;
}

/** An SMTP account that mail may go out by. */
export interface MailAccount {
  id: string;
  name: string;
  /** Everything of the connection but how many there may be. */
  options: AccountOptions;
  /** Changes whenever the options do. */
  version: string;
}

/**
 * Which accounts there are and how they fare. Sending keeps them and provides this token; the transports, which stand below it,
 * ask through it: `{ provide: MailAccounts, useExisting: … }` in the sending module.
 */
export abstract class MailAccounts {
  /** In the order in which they are tried: the default first, those that failed lately last. Never empty. */
  abstract inOrder(): Promise<MailAccount[]>;
  /** inOrder's answer, where nothing has to be waited for and the first account may take a message placed with that one at once. */
  abstract atOnce(placeWith?: string): readonly MailAccount[] | undefined;
  /** Waits until the account's own rate allows another message. */
  abstract takeTurn(account: MailAccount): Promise<void>;
  /** Whether bulk mail that has a place with another account may go by this one now. */
  abstract mayTakeOver(account: MailAccount): boolean | Promise<boolean>;
  abstract worked(account: MailAccount): void;
  /** @returns whether the account is at fault and the message may go by another one */
  abstract failed(account: MailAccount, error: Error): boolean;
}
