import type { MailTransport } from './bulk-transport.js';
import type { AccountOptions } from './mail-accounts.js';
import { NodemailerTransport } from './nodemailer-transport.js';
import { SmtpPool } from './smtp-pool.js';

/**
 * Opens the transport of an account with the SMTP client that its options name. Both clients treat each message alike,
 * so an operator can switch an account at any time: for example, if a server does not support pipelined commands
 * properly, or to find out whether our own client causes a fault.
 */
export function accountTransport({ client = 'pipelined', ...options }: AccountOptions): MailTransport {
  switch (client) {
    case 'nodemailer':
      return new NodemailerTransport(options);
    case 'pipelined':
      return new SmtpPool(options);
  }
}
