import type { SMTPPoolOptions } from 'nodemailer';
import type { SendingClient } from '../../enums.js';

/**
 * Options of nodemailer's transport, the address lookup for hosts that must be checked first, and the implementation
 * that sends (default: pipelined).
 */
export type AccountOptions = SMTPPoolOptions & { pool: true; client?: SendingClient } & ConnectionGuard;

export interface ConnectionGuard {
  /**
   * Resolves and checks the host at each connection and returns the address to connect to; TLS still verifies the host
   * name.
   * @throws where the host is refused
   */
  addressOf?: (host: string) => Promise<string>;
}

/** An SMTP account for outgoing mail. */
export interface MailAccount {
  id: string;
  name: string;
  /** Connection options except the number of connections. */
  options: AccountOptions;
  /** Changes whenever the options change. */
  version: string;
}

/**
 * The available mail accounts and their health. The mail-accounts module provides this token, because the transports
 * below it may not import it.
 */
export abstract class MailAccounts {
  /** Accounts in the order of attempts: the default first, recently failed ones last. Never empty. */
  abstract inOrder(): Promise<MailAccount[]>;
  /**
   * The same as inOrder, where it is known without waiting and the first account may send now. `reservedAccount`: id of
   * the account whose quota and rate were reserved for the message.
   */
  abstract inOrderNow(reservedAccount?: string): readonly MailAccount[] | undefined;
  /** Waits until the account's rate limit admits another message. */
  abstract awaitRate(account: MailAccount): Promise<void>;
  /** Whether this account may send a bulk message that another account admitted. */
  abstract canTakeOver(account: MailAccount): boolean | Promise<boolean>;
  abstract worked(account: MailAccount): void;
  /** @returns whether the account caused the failure, so that another account may send the message */
  abstract failed(account: MailAccount, error: Error): boolean;
}
