import { createTransport } from 'nodemailer';
import type { Readable } from 'node:stream';
import type { Mail, PluginFunction, SendMailOptions, SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer';
import type { MailTransport, SendReceipt } from './bulk-transport.js';

interface Phase {
  ended: boolean;
}

/**
 * Notes when the connection has read the message to its end. The library's error is the same for a connection lost before and
 * after that point (reliability-security.md §1.1), and only before it is a repeat safe.
 */
const markEnd: PluginFunction<SMTPPoolSentMessageInfo> = (mail, done) => {
  const { phase } = mail.data as unknown as { phase: Phase };
  const message = mail.message as unknown as { createReadStream: (...args: unknown[]) => Readable };
  const original = message.createReadStream.bind(message);
  message.createReadStream = (...args) => original(...args).once('end', () => (phase.ended = true));
  done();
};

/** nodemailer's connection pool behind our interface. */
export class PooledTransport implements MailTransport {
  private readonly mailer: Mail<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

  constructor(options: SMTPPoolOptions & { pool: true }) {
    // Never again by itself: whether a message may be repeated is for the caller to decide.
    this.mailer = createTransport({ maxRequeues: 0, ...options });
    this.mailer.use('stream', markEnd);
  }

  async send(message: SendMailOptions): Promise<SendReceipt> {
    const phase: Phase = { ended: false };
    try {
      const info = await this.mailer.sendMail({ ...message, phase } as never);
      return { messageId: info.messageId, response: info.response };
    } catch (error) {
      throw Object.assign(error as Error, { messageEnded: phase.ended });
    }
  }

  async verify(): Promise<void> {
    await this.mailer.verify();
  }

  close(): void {
    this.mailer.close();
  }
}
