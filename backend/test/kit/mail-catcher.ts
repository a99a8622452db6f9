import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

/** A mail as the sink stored it. */
export interface CaughtMail {
  envelopeFrom: string;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  raw: string;
  headers: ParsedMail['headers'];
}

/** The sink's reply to a recipient; undefined to accept the mail. */
export type RecipientAnswer = (address: string) => { code: number; message: string } | undefined;

/** A real SMTP server that stores the mails it accepts. */
export class MailCatcher {
  readonly all: CaughtMail[] = [];
  /** Set to refuse recipients. */
  answer: RecipientAnswer = () => undefined;
  private readonly server: SMTPServer;

  constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      // The product keeps idle connections open, and closing must not wait for them.
      closeTimeout: 200,
      onRcptTo: (address, _session, done) => {
        const refusal = this.answer(address.address);
        done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void this.keep(Buffer.concat(chunks), session.envelope).then(() => done(null), done));
      },
    });
    // The product may reset connections when a test kills it.
    this.server.on('error', () => undefined);
  }

  async listen(): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', () => ready()));
    const address = this.server.server.address();
    if (address === null || typeof address === 'string') throw new Error('the mail catcher has no port');
    return `smtp://127.0.0.1:${address.port}`;
  }

  to(address: string): CaughtMail[] {
    return this.all.filter((mail) => mail.to.includes(address));
  }

  /**
   * Waits until at least `count` mails for an address arrived.
   * @returns the mails
   */
  async waitFor(address: string, count = 1): Promise<CaughtMail[]> {
    await until(`${count} mails for ${address}`, () => this.to(address).length >= count).catch((error: Error) => {
      throw new Error(`${error.message}; ${this.to(address).length} for it and ${this.all.length} in all`);
    });
    return this.to(address);
  }

  async waitForTotal(count: number): Promise<void> {
    await until(`${count} mails`, () => this.all.length >= count).catch((error: Error) => {
      throw new Error(`${error.message}; ${this.all.length} are there`);
    });
  }

  close(): Promise<void> {
    return new Promise((done) => this.server.close(() => done()));
  }

  private async keep(
    raw: Buffer,
    envelope: { mailFrom: false | { address: string }; rcptTo: { address: string }[] },
  ): Promise<void> {
    const mail = await simpleParser(raw, { skipTextToHtml: true, skipImageLinks: true });
    this.all.push({
      envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map((recipient) => recipient.address),
      from: mail.from?.text ?? '',
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html || '',
      raw: raw.toString('utf8'),
      headers: mail.headers,
    });
  }
}

/**
 * The first link in a mail's text part whose path starts with `path`. In each mail, the link for its action comes
 * first.
 */
export function linkIn(mail: CaughtMail, path: string): URL {
  const found = mail.text.match(/https?:\/\/\S+/g)?.find((link) => new URL(link).pathname.startsWith(path));
  if (!found) throw new Error(`no link to ${path} in: ${mail.text}`);
  return new URL(found);
}
