import type { Readable } from 'node:stream';
import type { MailMessage } from 'nodemailer';
import type DKIM from 'nodemailer/lib/dkim';
import type { ReadyMessage } from './bulk-transport.js';
import { fault } from './smtp-connection.js';
import { SMTP_LIMITS } from './smtp-options.js';
import type { SmtpFault } from './smtp-verdict.js';

/** nodemailer keeps the refusals of MAIL and RCPT on the envelope that it was given. */
type Envelope = ReturnType<MailMessage['message']['getEnvelope']> & {
  mailError?: SmtpFault;
  rejectedErrors?: SmtpFault[];
};

/**
 * One attempt to send a message by nodemailer. Notes how far the message got, so that an error can say whether the
 * message may have arrived, enforces the timeouts of each phase and checks the gate right before the envelope is sent.
 */
export class SendAttempt {
  /** A connection was ready: failures concern this message and no longer the set-up of a connection. */
  started = false;
  private readonly controller = new AbortController();
  private envelope?: Envelope;
  private content?: Readable;
  /** The body was read to its end, so the final dot may have left. */
  private messageEnded = false;
  private aborted?: { why: string; code: string };
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly message: ReadyMessage,
    private readonly onStart: () => void,
  ) {
    this.limit(SMTP_LIMITS.setUpMs);
  }

  /** Aborts the attempt: nodemailer takes it from its queue or closes the connection that carries it. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sets the exact envelope, which nodemailer has parsed and normalised, and signs the message where a key is given. */
  prepare(mail: MailMessage, dkim?: DKIM): void {
    const { from, to } = this.message.envelope;
    this.envelope = Object.assign(mail.message.getEnvelope(), { from, to: [to] });
    mail.message.processFunc((unsigned: Readable) => this.start(unsigned, dkim));
  }

  /** Called by nodemailer when a signed-in connection takes the message, right before the envelope is sent. */
  private start(unsigned: Readable, dkim?: DKIM): Readable {
    this.started = true;
    this.onStart();
    if (this.message.gate?.isRevoked) {
      this.abort('the message was revoked', 'EREVOKED');
      return unsigned;
    }
    const content = dkim ? dkim.sign(unsigned) : unsigned;
    // This listener precedes that of nodemailer's pipe, which writes the final dot.
    content.once('end', () => (this.messageEnded = true));
    content.once('resume', () => this.limit(SMTP_LIMITS.afterDotMs));
    this.content = content;
    this.limit(SMTP_LIMITS.commandMs);
    return content;
  }

  /** Stops the timer. Called once, when nodemailer has settled the attempt. */
  finish(): void {
    clearTimeout(this.timer);
  }

  /**
   * Whether a connection that had carried messages before was closed under this one before its body was asked for.
   * nodemailer reports that without a command; the same on a fresh connection is reported with one.
   */
  isStale(error: SmtpFault): boolean {
    return (
      this.content?.readableDidRead === false &&
      !this.aborted &&
      !this.refusal &&
      error.code === 'ECONNECTION' &&
      error.command === undefined
    );
  }

  /** nodemailer's error with the fields that a verdict needs. */
  faultOf(error: SmtpFault): SmtpFault {
    const { aborted, messageEnded } = this;
    if (aborted) return fault(aborted.why, { code: aborted.code, command: 'CONN', messageEnded });
    // An unterminated or unexpected line during the transaction is no answer to this message.
    const isAnswer = error.responseCode && !(this.started && error.command === 'CONN');
    const answer = isAnswer ? error : this.refusal;
    if (answer) return Object.assign(answer, { messageEnded: false });
    if (!error.code) return Object.assign(error, { messageEnded });
    return fault(error.message, { code: error.code, command: 'CONN', messageEnded });
  }

  /** The answer to RCPT, which nodemailer replaces by another error where the server then closes the connection (421). */
  private get refusal(): SmtpFault | undefined {
    return this.started && !this.envelope?.mailError ? this.envelope?.rejectedErrors?.[0] : undefined;
  }

  private limit(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort('the mail server does not answer', 'ETIMEDOUT'), ms);
  }

  private abort(why: string, code: string): void {
    this.aborted = { why, code };
    this.controller.abort();
  }
}
