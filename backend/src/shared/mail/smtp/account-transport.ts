import type { MailTransport } from './bulk-transport.js';
import type { AccountOptions } from './mail-accounts.js';
import { NodemailerTransport } from './nodemailer-transport.js';
import { SmtpPool } from './smtp-pool.js';

/**
 * Opens the transport of an account with the client that its options name. Both clients treat each message alike, so an
 * account can be switched at any time, for example where a server does not get on with pipelined commands or to find
 * out whether a fault lies in our own client.
 */
export function accountTransport({ client = 'pipelined', ...options }: AccountOptions): MailTransport {
  switch (client) {
    case 'nodemailer':
      return new NodemailerTransport(options);
    case 'pipelined':
      return new SmtpPool(options);
  }
}
