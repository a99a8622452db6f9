import type { SMTPPoolOptions } from 'nodemailer';
import type { SendingClient } from '../../enums.js';

/**
 * Connection options of a mail account: nodemailer's options, the SMTP client (default: pipelined), and the address
 * lookup for hosts that must be checked.
 */
export type AccountOptions = SMTPPoolOptions & { pool: true; client?: SendingClient } & ConnectionGuard;

export interface ConnectionGuard {
  /**
   * Resolves and checks the host for each new connection, and returns the address to connect to. TLS still verifies the
   * host name.
   * @throws if the host is refused
   */
  addressOf?: (host: string) => Promise<string>;
}

/** An SMTP account for outgoing mail. */
export interface MailAccount {
  id: string;
  name: string;
  /** Connection options, except for the number of connections. */
  options: AccountOptions;
  /** Changes whenever the options change. */
  version: string;
}

/**
 * The available mail accounts and their health. The mail-accounts module implements this class, because the transports
 * must not import a module above them.
 */
export abstract class MailAccounts {
  /**
   * Accounts in the order in which they are tried: the default account first, accounts that failed recently last. Never
   * empty.
   */
  abstract inOrder(): Promise<MailAccount[]>;
  /**
   * Like inOrder, but without waiting.
   * @param reservedAccount id of the account whose quota and rate limit admitted the message
   * @returns undefined if the accounts must be loaded first, or if the first account may not send now
   */
  abstract inOrderNow(reservedAccount?: string): readonly MailAccount[] | undefined;
  /** Waits until the account's rate limit admits another message. */
  abstract awaitRate(account: MailAccount): Promise<void>;
  /** Whether this account may send a bulk message that another account's rate limit admitted. */
  abstract canTakeOver(account: MailAccount): boolean | Promise<boolean>;
  abstract worked(account: MailAccount): void;
  /**
   * Records a failure of an account.
   * @returns whether the account caused the failure, so that another account may send the message
   */
  abstract failed(account: MailAccount, error: Error): boolean;
}
