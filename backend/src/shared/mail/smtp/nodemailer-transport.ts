import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport, type SMTPPoolOptions } from 'nodemailer';
import DKIM from 'nodemailer/lib/dkim';
import { envelopeFault, type MailTransport, type ReadyMessage, type SendReceipt } from './bulk-transport.js';
import { dkimKey, type DkimOptions } from './dkim-signer.js';
import type { ConnectionGuard } from './mail-accounts.js';
import { SendAttempt } from './nodemailer-attempt.js';
import { fault } from './smtp-connection.js';
import { SMTP_LIMITS } from './smtp-options.js';
import type { SmtpFault } from './smtp-verdict.js';

const IDLE_MS = 20_000;
/** Delay in milliseconds before more connections are tried, if other connections work. */
const RECONNECT_MS = 5_000;
const CHUNK_BYTES = 16_384;

interface Job {
  message: ReadyMessage;
  resolve(receipt: SendReceipt): void;
  reject(error: Error): void;
  /** Number of times that the server closed a connection before it asked for the body of this message. */
  staleConnections: number;
}

/**
 * Sends with nodemailer's own connection pool, which speaks SMTP and signs the messages. It is slower than SmtpPool,
 * but the outcome for each message is the same. Messages wait here and not in nodemailer's queue, so that their gate is
 * checked when a connection is free.
 */
export class NodemailerTransport implements MailTransport {
  /** Maximum number of open connections. */
  readonly width: number;
  private readonly mailer;
  private readonly dkim?: DKIM;
  private readonly attempts = new WeakMap<AbortSignal, SendAttempt>();
  private readonly active = new Set<SendAttempt>();
  private readonly waiting: Job[] = [];
  /**
   * Maximum number of messages that nodemailer has at a time. After a connection could not be opened, it is the number
   * of working connections; if there is none, it is 0 until a connection takes a message.
   */
  private slots: number;
  private reconnect?: NodeJS.Timeout;
  private closed = false;

  constructor({ dkim, addressOf, ...options }: SMTPPoolOptions & ConnectionGuard) {
    this.width = this.slots = options.maxConnections ?? 10;
    if (dkim) this.dkim = signerOf(dkim as DkimOptions);
    this.mailer = createTransport({
      ...options,
      pool: true,
      maxConnections: this.width,
      maxMessages: options.maxMessages ?? Infinity,
      // nodemailer must not repeat a message by itself: only the code below knows whether the message can be repeated
      // without a duplicate.
      maxRequeues: 0,
      idleTimeout: IDLE_MS,
      socketTimeout: options.socketTimeout ?? SMTP_LIMITS.afterDotMs,
      // Without this, an account would be used without signing in if the server does not offer AUTH.
      forceAuth: Boolean(options.auth?.user),
      ...(addressOf && { getSocket: guardedSockets(options, addressOf) }),
    });
    this.mailer.use('stream', (mail, done) => {
      this.attempts.get(mail.data.signal!)?.prepare(mail, this.dkim);
      done();
    });
  }

  send(message: ReadyMessage): Promise<SendReceipt> {
    const refused = envelopeFault(message.envelope);
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(closedFault());
      this.waiting.push({ message, resolve, reject, staleConnections: 0 });
      this.dispatch();
    });
  }

  async verify(): Promise<void> {
    await this.mailer.verify().catch((error: SmtpFault) => {
      throw Object.assign(error, { code: error.code ?? 'ECONNECTION', messageEnded: false });
    });
  }

  /** Fails the messages in progress. Callers that need their results must wait for them first. */
  close(): void {
    this.closed = true;
    clearTimeout(this.reconnect);
    this.mailer.close({ force: true });
    this.rejectWaiting(closedFault());
  }

  private dispatch(): void {
    while (!this.closed && this.active.size < this.slots) {
      const job = this.waiting.shift();
      if (!job) return;
      if (job.message.gate?.isRevoked)
        job.reject(fault('the message was revoked', { code: 'EREVOKED', command: 'CONN' }));
      else void this.transmit(job);
    }
  }

  private async transmit(job: Job): Promise<void> {
    const { message } = job;
    const attempt = new SendAttempt(message, () => this.allowAll());
    this.attempts.set(attempt.signal, attempt);
    this.active.add(attempt);
    try {
      const { response } = await this.mailer.sendMail({
        envelope: message.envelope,
        raw: contentOf(message),
        signal: attempt.signal,
      });
      this.active.delete(attempt);
      job.resolve({ response });
    } catch (error) {
      this.active.delete(attempt);
      this.failed(job, attempt, error as SmtpFault);
    }
    attempt.finish();
    this.dispatch();
  }

  private failed(job: Job, attempt: SendAttempt, error: SmtpFault): void {
    if (!this.closed && attempt.isStale(error) && job.staleConnections < this.width) {
      job.staleConnections++;
      this.waiting.unshift(job);
    } else if (attempt.started || this.closed) job.reject(attempt.faultOf(error));
    else this.setUpFailed(job, attempt.faultOf(error));
  }

  /**
   * Handles a connection that could not be opened. If other connections work, the server probably limits their number,
   * so the message waits for one of them.
   */
  private setUpFailed(job: Job, error: SmtpFault): void {
    const working = [...this.active].filter(({ started }) => started).length;
    if (working > 0) {
      this.waiting.unshift(job);
      this.slots = working;
      clearTimeout(this.reconnect);
      this.reconnect = setTimeout(() => this.allowAll(true), RECONNECT_MS).unref();
      return;
    }
    job.reject(error);
    this.slots = 0;
    if (this.active.size > 0) return;
    this.slots = this.width;
    this.rejectWaiting(error);
  }

  private allowAll(again = false): void {
    if (this.slots > 0 && !again) return;
    this.slots = this.width;
    this.dispatch();
  }

  private rejectWaiting(error: Error): void {
    for (const job of this.waiting.splice(0)) job.reject(error);
  }
}

const closedFault = (): Error => fault('the transport is closed', { code: 'ECONNECTION', command: 'CONN' });

/**
 * The message as a stream of chunks, so that its end is read only when the connection has taken most of it. Does not
 * copy the tail.
 */
function contentOf({ head, body, tail }: ReadyMessage): Readable {
  const parts = [Buffer.from(`${head}\r\n${body}`, 'latin1'), ...(tail ? [tail] : [])];
  let at = 0;
  return new Readable({
    read() {
      if (parts.length > 0 && at >= parts[0]!.length) {
        parts.shift();
        at = 0;
      }
      const chunk = parts[0]?.subarray(at, at + CHUNK_BYTES);
      at += CHUNK_BYTES;
      this.push(chunk ?? null);
    },
  });
}

/**
 * Creates nodemailer's signer. Checks the key first, because the signer would send messages unsigned if the key cannot
 * sign.
 */
function signerOf(options: DkimOptions): DKIM {
  dkimKey(options);
  return new DKIM(options);
}

/** Opens connections to the checked address. nodemailer negotiates TLS on them and verifies the host name. */
function guardedSockets(
  { host = '', port, secure, connectionTimeout = SMTP_LIMITS.connectMs }: SMTPPoolOptions,
  addressOf: NonNullable<ConnectionGuard['addressOf']>,
): NonNullable<SMTPPoolOptions['getSocket']> {
  const open = async (): Promise<Socket> => {
    const socket = connect({ host: await addressOf(host), port: Number(port) || (secure ? 465 : 587) });
    socket.on('error', () => undefined);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(connectionTimeout) });
      return socket;
    } catch (error) {
      socket.destroy();
      throw (error as Error).name === 'AbortError'
        ? fault('the mail server does not answer', { code: 'ETIMEDOUT', command: 'CONN' })
        : fault('the mail server cannot be reached', { code: 'ESOCKET', command: 'CONN' });
    }
  };
  return (_options, done) => {
    open().then(
      (connection) => done(null, { connection }),
      (error: Error) => done(error),
    );
  };
}
