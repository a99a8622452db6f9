import type { Transport } from 'nodemailer';
import { splitMessage, type MailTransport, type SendReceipt } from './bulk-transport.js';

/**
 * Adapts our transport to the mailer module, so that system mail has the same signing, limits and errors as bulk mail.
 */
export function mailerBridge(transport: MailTransport): Transport<SendReceipt & { messageId: string }> {
  return {
    name: 'staffcast',
    version: '1',
    send(mail, done) {
      const { message } = mail;
      message
        .build()
        .then((raw) => {
          const { from, to } = message.getEnvelope();
          return transport.send(splitMessage(String(raw), { from: from || '', to: to[0] ?? '' }));
        })
        .then((receipt) => done(null, { ...receipt, messageId: message.messageId() }))
        .catch((error: Error) => done(error));
    },
    verify: (() => transport.verify().then(() => true as const)) as never,
  };
}
