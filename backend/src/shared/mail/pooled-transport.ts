import { createTransport } from 'nodemailer';
import type { Mail, SendMailOptions, SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer';
import type { MailTransport, SendReceipt } from './bulk-transport.js';

/** nodemailer's connection pool behind our interface. */
export class PooledTransport implements MailTransport {
  private readonly mailer: Mail<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

  constructor(options: SMTPPoolOptions & { pool: true }) {
    this.mailer = createTransport(options);
  }

  async send(message: SendMailOptions): Promise<SendReceipt> {
    const info = await this.mailer.sendMail(message as never);
    return { messageId: info.messageId, response: info.response };
  }

  async verify(): Promise<void> {
    await this.mailer.verify();
  }

  close(): void {
    this.mailer.close();
  }
}
