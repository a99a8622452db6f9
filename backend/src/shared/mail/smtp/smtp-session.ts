import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { SendReceipt } from './bulk-transport.js';
import { connect, fault, type SessionOptions } from './smtp-connection.js';
import { SMTP_LIMITS } from './smtp-options.js';
import { decodedReply, dotStuffed, type Transmission, transmittedSize } from './smtp-transmission.js';

/** Number of bytes of a tail that are written to a TLS socket at a time. */
const SLICE_BYTES = 262_144;

type Step = 'RSET' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'end' | 'empty';

/**
 * One connection to a mail server. nodemailer's SMTPConnection connects, negotiates TLS and signs in; this class then
 * takes over the socket. It writes the pipelined envelope (RFC 2920) at once, then head and body, then any tail.
 */
export class SmtpSession {
  /** Number of messages that the server accepted on this connection. */
  delivered = 0;
  started = 0;
  idleSince = Date.now();
  /** Message that must be sent again on another connection, after this connection has ended. */
  interrupted?: Transmission;
  private transmission?: Transmission;
  private steps: Step[] = [];
  private refusal?: Error;
  private messageEnded = false;
  /** Whether a tail is being written to a TLS socket, so that the final dot was not sent yet. */
  private isWriting = false;
  private needsReset = false;
  private input = '';
  private reply = '';
  private deadline = Infinity;
  private closed = false;

  private constructor(
    private readonly socket: Socket,
    private readonly pipelining: boolean,
    /** Whether the server takes the message size in the envelope (RFC 1870). */
    private readonly takesSize: boolean,
    private readonly ended: (session: SmtpSession) => void,
    private readonly freed: (session: SmtpSession) => void,
  ) {
    socket.setTimeout(0);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', (error: Error & { code?: string }) => this.fail(error.code ?? 'ESOCKET', error.message));
    socket.on('close', () => this.fail('ECONNECTION', 'the connection was closed'));
    socket.on('end', () => this.fail('ECONNECTION', 'the server closed the connection'));
    socket.resume();
  }

  /** @throws nodemailer's error if the server is unreachable, busy or refuses the account */
  static async open(
    options: SessionOptions,
    ended: (session: SmtpSession) => void,
    freed: (session: SmtpSession) => void,
  ): Promise<SmtpSession> {
    const { socket, extensions } = await connect(options);
    return new SmtpSession(socket, extensions.includes('PIPELINING'), extensions.includes('SIZE'), ended, freed);
  }

  get isIdle(): boolean {
    return !this.closed && this.transmission === undefined;
  }

  start(transmission: Transmission): void {
    this.transmission = transmission;
    this.started++;
    this.refusal = undefined;
    this.messageEnded = false;
    const { from, to } = transmission.message.envelope;
    const size = this.takesSize && transmission.message.tail ? ` SIZE=${transmittedSize(transmission)}` : '';
    const mail = `MAIL FROM:<${from}>${size}\r\n`;
    if (this.needsReset) this.steps.push('RSET');
    this.steps.push('MAIL FROM');
    if (this.pipelining) this.steps.push('RCPT TO', 'DATA');
    const reset = this.needsReset ? 'RSET\r\n' : '';
    this.needsReset = false;
    this.write(this.pipelining ? `${reset}${mail}RCPT TO:<${to}>\r\nDATA\r\n` : reset + mail, SMTP_LIMITS.commandMs);
  }

  /** Fails the connection if the server exceeded a timeout. Must be called about once a second. */
  checkTime(now: number): void {
    if (now > this.deadline) this.fail('ETIMEDOUT', 'the mail server does not answer');
  }

  quit(): void {
    if (this.closed) return;
    this.closed = true;
    this.socket.end('QUIT\r\n');
    setTimeout(() => this.socket.destroy(), 2000).unref();
    this.ended(this);
  }

  /** Destroys the connection; its current message fails. */
  destroy(): void {
    this.fail('ECONNECTION', 'the connection was given up');
  }

  private write(text: string, limitMs: number, done?: () => void): void {
    this.deadline = Date.now() + limitMs;
    this.socket.write(text, 'latin1', done);
  }

  private read(chunk: Buffer): void {
    this.input += chunk.toString('latin1');
    for (let end = this.input.indexOf('\n'); end >= 0; end = this.input.indexOf('\n')) {
      const line = this.input.slice(0, end).replace(/\r$/, '');
      this.input = this.input.slice(end + 1);
      this.reply = this.reply === '' ? line : `${this.reply}\n${line}`;
      if (/^\d{3}-/.test(line)) continue;
      const reply = this.reply;
      this.reply = '';
      this.take(reply);
    }
    if (this.input.length + this.reply.length > 65_536) this.fail('EPROTOCOL', 'the server says too much');
  }

  private take(reply: string): void {
    if (this.closed) return;
    const step = this.steps.shift();
    const { transmission } = this;
    if (!step || !transmission) return this.fail('ECONNECTION', reply);
    const good = reply.startsWith('2') || (step === 'DATA' && reply.startsWith('3'));
    if (reply.startsWith('421')) return this.serviceUnavailable(step, reply);
    if (!good && (step === 'MAIL FROM' || step === 'RCPT TO' || step === 'DATA')) {
      this.refusal ??= fault('the mail server refused', {
        code: 'EENVELOPE',
        command: step,
        response: decodedReply(reply),
      });
    }
    switch (step) {
      case 'RSET':
        return undefined;
      case 'MAIL FROM':
        return this.afterMail(good);
      case 'RCPT TO':
        return this.afterRecipient(good);
      case 'DATA':
        return this.afterData(good);
      case 'empty':
        return this.settle(this.refusal!);
      case 'end':
        if (this.isWriting) return this.answeredEarly(good, reply);
        return this.settle(
          good
            ? { response: decodedReply(reply) }
            : fault('the mail server refused the message', {
                code: 'EMESSAGE',
                command: 'DATA',
                response: decodedReply(reply),
              }),
        );
    }
  }

  private afterMail(good: boolean): void {
    if (good) this.needsReset = true;
    if (this.pipelining) return;
    if (!good) return this.settle(this.refusal!);
    this.steps.push('RCPT TO');
    this.write(`RCPT TO:<${this.transmission!.message.envelope.to}>\r\n`, SMTP_LIMITS.commandMs);
  }

  private afterRecipient(good: boolean): void {
    if (this.pipelining) return;
    if (!good) return this.settle(this.refusal!);
    this.steps.push('DATA');
    this.write('DATA\r\n', SMTP_LIMITS.commandMs);
  }

  private afterData(good: boolean): void {
    if (this.refusal) {
      if (!good) return this.settle(this.refusal);
      // The server accepted DATA although it refused the recipient. Ends the transaction with an empty message.
      this.steps.push('empty');
      return this.write('.\r\n', SMTP_LIMITS.commandMs);
    }
    const { message, signature } = this.transmission!;
    if (message.gate?.isLost) return this.fail('EREVOKED', 'the message may belong to another worker');
    this.needsReset = false;
    this.steps.push('end');
    if (message.tail) return this.writeTail(`${signature}${message.head}\r\n${message.body}`, message.tail);
    this.write(
      `${signature}${message.head}\r\n${message.isPlain ? message.body : dotStuffed(message.body)}.\r\n`,
      SMTP_LIMITS.afterDotMs,
      () => {
        this.messageEnded = true;
      },
    );
  }

  /**
   * Writes a message with a tail. A plain socket gets the whole tail by reference. A TLS socket copies its data, so it
   * gets the next slice only after the previous one has drained.
   */
  private writeTail(text: string, tail: Buffer): void {
    this.socket.cork();
    this.write(text, SMTP_LIMITS.afterDotMs);
    if (this.socket instanceof TLSSocket) {
      this.isWriting = true;
      this.writeSlices(tail, 0);
    } else {
      this.socket.write(tail);
      this.writeEnd();
    }
    this.socket.uncork();
  }

  private writeSlices(tail: Buffer, from: number): void {
    for (let at = from; at < tail.length; at += SLICE_BYTES) {
      if (this.closed) return;
      this.deadline = Date.now() + SMTP_LIMITS.afterDotMs;
      if (this.socket.write(tail.subarray(at, at + SLICE_BYTES))) continue;
      this.socket.once('drain', () => this.writeSlices(tail, at + SLICE_BYTES));
      return;
    }
    if (this.closed) return;
    this.isWriting = false;
    this.writeEnd();
  }

  private writeEnd(): void {
    this.write('.\r\n', SMTP_LIMITS.afterDotMs, () => void (this.messageEnded = true));
  }

  /**
   * Handles a reply that arrives before the message was sent completely. The rest of the message cannot be withheld, so
   * the connection ends.
   */
  private answeredEarly(good: boolean, reply: string): void {
    const transmission = this.transmission!;
    this.transmission = undefined;
    const refused = { code: 'EMESSAGE', command: 'DATA', response: decodedReply(reply) };
    transmission.reject(
      good
        ? fault('the mail server answered before the message had ended', { code: 'ECONNECTION', command: 'CONN' })
        : fault('the mail server refused the message', refused),
    );
    this.finish();
  }

  private settle(outcome: SendReceipt | Error): void {
    const transmission = this.transmission!;
    this.transmission = undefined;
    this.deadline = Infinity;
    if (outcome instanceof Error) transmission.reject(outcome);
    else {
      this.delivered++;
      transmission.resolve(outcome);
    }
    this.idleSince = Date.now();
    this.freed(this);
  }

  /**
   * Handles a 421, which concerns the connection. If it arrives before RCPT TO on a connection that has already
   * delivered, the message is tried once more on a new connection.
   */
  private serviceUnavailable(step: Step, reply: string): void {
    const transmission = this.transmission!;
    this.transmission = undefined;
    const early = step === 'RSET' || step === 'MAIL FROM';
    if (early && this.delivered > 0 && !transmission.requeued) this.interrupted = transmission;
    else
      transmission.reject(
        fault('the mail server closes the connection', {
          code: 'EENVELOPE',
          command: step === 'end' || step === 'empty' ? 'DATA' : step,
          response: decodedReply(reply),
        }),
      );
    this.finish();
  }

  private fail(code: string, why: string): void {
    if (this.closed) return;
    const { transmission } = this;
    this.transmission = undefined;
    // Whether the server closed an idle connection before it read any part of the message.
    const stale =
      transmission &&
      code !== 'ETIMEDOUT' &&
      this.delivered > 0 &&
      !this.messageEnded &&
      ['RSET', 'MAIL FROM'].includes(this.steps[0]!) &&
      !transmission.requeued;
    if (stale) this.interrupted = transmission;
    else transmission?.reject(fault(why, { code, command: 'CONN', messageEnded: this.messageEnded }));
    this.finish();
  }

  private finish(): void {
    this.closed = true;
    this.socket.destroy();
    this.ended(this);
  }
}
