import type { Readable } from 'node:stream';
import type { MailMessage } from 'nodemailer';
import type DKIM from 'nodemailer/lib/dkim';
import type { ReadyMessage } from './bulk-transport.js';
import { fault } from './smtp-connection.js';
import { SMTP_LIMITS } from './smtp-options.js';
import type { SmtpFault } from './smtp-verdict.js';

/** nodemailer stores refusals of MAIL and RCPT on the envelope object that it got. */
type Envelope = ReturnType<MailMessage['message']['getEnvelope']> & {
  mailError?: SmtpFault;
  rejectedErrors?: SmtpFault[];
};

/**
 * One attempt to send a message with nodemailer. Records how far the message got, so that an error can tell whether the
 * message may have arrived. Enforces the timeout of each phase, and checks the gate before the envelope and before the body.
 */
export class SendAttempt {
  /**
   * Whether a ready connection took the message. Later failures concern this message and not the set-up of a
   * connection.
   */
  started = false;
  private readonly controller = new AbortController();
  private envelope?: Envelope;
  private content?: Readable;
  /** Whether the body was read to its end, so that the final dot may have been sent. */
  private messageEnded = false;
  private aborted?: { why: string; code: string };
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly message: ReadyMessage,
    private readonly onStart: () => void,
  ) {
    this.limit(SMTP_LIMITS.setUpMs);
  }

  /** Aborts the attempt: nodemailer then removes the message from its queue or closes its connection. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sets the exact envelope, because nodemailer has normalised it. Signs the message if there is a key. */
  prepare(mail: MailMessage, dkim?: DKIM): void {
    const { from, to } = this.message.envelope;
    this.envelope = Object.assign(mail.message.getEnvelope(), { from, to: [to] });
    mail.message.processFunc((unsigned: Readable) => this.start(unsigned, dkim));
  }

  /** nodemailer calls this when a signed-in connection takes the message, right before the envelope is sent. */
  private start(unsigned: Readable, dkim?: DKIM): Readable {
    this.started = true;
    this.onStart();
    if (this.message.gate?.isRevoked) {
      this.abort('the message was revoked', 'EREVOKED');
      return unsigned;
    }
    const content = dkim ? dkim.sign(unsigned) : unsigned;
    // This listener runs before the listener of nodemailer's pipe, which writes the final dot.
    content.once('end', () => (this.messageEnded = !this.aborted));
    content.once('resume', () => this.beforeBody());
    this.content = content;
    this.limit(SMTP_LIMITS.commandMs);
    return content;
  }

  /** nodemailer reads the body from here on. An aborted attempt's body does not reach the server. */
  private beforeBody(): void {
    if (this.message.gate?.isLost) this.abort('the message may belong to another worker', 'EREVOKED');
    else this.limit(SMTP_LIMITS.afterDotMs);
  }

  /** Stops the timer. Must be called once, when nodemailer has settled the attempt. */
  finish(): void {
    clearTimeout(this.timer);
  }

  /**
   * Whether the server closed a connection that had already carried messages, before it asked for the body of this
   * message. nodemailer's error then has no command, unlike its error for a new connection.
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

  /** Adds the fields that verdictOf needs to nodemailer's error. */
  faultOf(error: SmtpFault): SmtpFault {
    const { aborted, messageEnded } = this;
    if (aborted) return fault(aborted.why, { code: aborted.code, command: 'CONN', messageEnded });
    // An unterminated or unexpected line during the transaction is not an answer to this message.
    const isAnswer = error.responseCode && !(this.started && error.command === 'CONN');
    const answer = isAnswer ? error : this.refusal;
    if (answer) return Object.assign(answer, { messageEnded: false });
    if (!error.code) return Object.assign(error, { messageEnded });
    return fault(error.message, { code: error.code, command: 'CONN', messageEnded });
  }

  /**
   * The server's refusal of RCPT; undefined if there is none. Read from the envelope, because nodemailer's own error
   * names the connection instead of RCPT if the server closes the connection right after the refusal, as with a 421.
   */
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
