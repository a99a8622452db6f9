import { isIP, type Socket } from 'node:net';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { ReadyMessage, SendReceipt } from './bulk-transport.js';
import type { ConnectionGuard } from './mail-accounts.js';
import { SMTP_LIMITS } from './smtp-limits.js';

export interface SessionOptions extends SMTPConnectionOptions, ConnectionGuard {
  auth?: { user?: string; pass?: string };
}

/** A message on its way; settled exactly once. */
export interface Task {
  message: ReadyMessage;
  /** Signature lines that go before the head. */
  signature: string;
  resolve(receipt: SendReceipt): void;
  reject(fault: Error): void;
  /** It was given back once already, when an old connection was closed under it. */
  requeued: boolean;
}

type Step = 'RSET' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'end' | 'empty';

/** The library's error fields plus our mark. */
export function fault(message: string, fields: { code: string; command: string; response?: string; messageEnded?: boolean }): Error {
  const responseCode = Number(fields.response?.slice(0, 3)) || undefined;
  return Object.assign(new Error(fields.response ? `${message}: ${fields.response}` : message), { messageEnded: false, ...fields, responseCode });
}

/**
 * One connection to a mail server. nodemailer's SMTPConnection connects, speaks TLS and signs in; then this takes over its socket:
 * the envelope goes out in one write (RFC 2920), head and body in a second, nothing is piped or copied in between.
 */
export class SmtpSession {
  /** Messages that were answered with 2xx so far. */
  delivered = 0;
  started = 0;
  idleSince = Date.now();
  /** A message that is to be sent on another connection, once this one has ended. */
  orphan?: Task;
  private task?: Task;
  private steps: Step[] = [];
  private refusal?: Error;
  private messageEnded = false;
  private needsReset = false;
  private input = '';
  private reply = '';
  private deadline = Infinity;
  private closed = false;

  private constructor(
    private readonly socket: Socket,
    private readonly pipelining: boolean,
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

  /** @throws the library's error where the server cannot be reached, is busy or refuses the account */
  static async open(options: SessionOptions, ended: (session: SmtpSession) => void, freed: (session: SmtpSession) => void): Promise<SmtpSession> {
    const connection = new SMTPConnection(await checked(options));
    try {
      await setUp(connection, options.auth);
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SmtpSession(takeSocket(connection), extensionsOf(connection).includes('PIPELINING'), ended, freed);
  }

  get isIdle(): boolean {
    return !this.closed && this.task === undefined;
  }

  start(task: Task): void {
    this.task = task;
    this.started++;
    this.refusal = undefined;
    this.messageEnded = false;
    const { from, to } = task.message.envelope;
    const mail = `MAIL FROM:<${from}>\r\n`;
    if (this.needsReset) this.steps.push('RSET');
    this.steps.push('MAIL FROM');
    if (this.pipelining) this.steps.push('RCPT TO', 'DATA');
    const reset = this.needsReset ? 'RSET\r\n' : '';
    this.needsReset = false;
    this.write(this.pipelining ? `${reset}${mail}RCPT TO:<${to}>\r\nDATA\r\n` : reset + mail, SMTP_LIMITS.commandMs);
  }

  /** Called about every second: a server that went quiet must not keep a message for ever. */
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

  /** Ends the connection; a message in it fails. */
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
    const { task } = this;
    if (!step || !task) return this.fail('ECONNECTION', reply);
    const good = reply.startsWith('2') || (step === 'DATA' && reply.startsWith('3'));
    if (reply.startsWith('421')) return this.serverLeaves(step, reply);
    if (!good && (step === 'MAIL FROM' || step === 'RCPT TO' || step === 'DATA')) {
      this.refusal ??= fault('the mail server refused', { code: 'EENVELOPE', command: step, response: decoded(reply) });
    }
    switch (step) {
      case 'RSET': return undefined;
      case 'MAIL FROM': return this.afterMail(good);
      case 'RCPT TO': return this.afterRecipient(good);
      case 'DATA': return this.afterData(good);
      case 'empty': return this.settle(this.refusal!);
      case 'end': return this.settle(good ? { response: decoded(reply) } : fault('the mail server refused the message', { code: 'EMESSAGE', command: 'DATA', response: decoded(reply) }));
    }
  }

  private afterMail(good: boolean): void {
    if (good) this.needsReset = true;
    if (this.pipelining) return;
    if (!good) return this.settle(this.refusal!);
    this.steps.push('RCPT TO');
    this.write(`RCPT TO:<${this.task!.message.envelope.to}>\r\n`, SMTP_LIMITS.commandMs);
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
      // It takes DATA without a recipient: an empty message goes to nobody.
      this.steps.push('empty');
      return this.write('.\r\n', SMTP_LIMITS.commandMs);
    }
    const { message, signature } = this.task!;
    this.needsReset = false;
    this.steps.push('end');
    this.write(`${signature}${message.head}\r\n${message.isPlain ? message.body : dotted(message.body)}.\r\n`, SMTP_LIMITS.afterDotMs, () => {
      this.messageEnded = true;
    });
  }

  private settle(outcome: SendReceipt | Error): void {
    const task = this.task!;
    this.task = undefined;
    this.deadline = Infinity;
    if (outcome instanceof Error) task.reject(outcome);
    else {
      this.delivered++;
      task.resolve(outcome);
    }
    this.idleSince = Date.now();
    this.freed(this);
  }

  /** 421 belongs to the connection: before the recipient was named, one that has served before just means "open another". */
  private serverLeaves(step: Step, reply: string): void {
    const task = this.task!;
    this.task = undefined;
    const early = step === 'RSET' || step === 'MAIL FROM';
    if (early && this.delivered > 0 && !task.requeued) this.orphan = task;
    else task.reject(fault('the mail server closes the connection', { code: 'EENVELOPE', command: step === 'end' || step === 'empty' ? 'DATA' : step, response: decoded(reply) }));
    this.finish();
  }

  private fail(code: string, why: string): void {
    if (this.closed) return;
    const { task } = this;
    this.task = undefined;
    // Closed by the server while it idled, noticed only now: nothing of the message was read.
    const stale = task && code !== 'ETIMEDOUT' && this.delivered > 0 && !this.messageEnded && ['RSET', 'MAIL FROM'].includes(this.steps[0]!) && !task.requeued;
    if (stale) this.orphan = task;
    else task?.reject(fault(why, { code, command: 'CONN', messageEnded: this.messageEnded }));
    this.finish();
  }

  private finish(): void {
    this.closed = true;
    this.socket.destroy();
    this.ended(this);
  }
}

/** Dots at the starts of lines doubled, and the last line ended. */
function dotted(body: string): string {
  const doubled = body.replace(/^\./gm, '..');
  return doubled.endsWith('\r\n') ? doubled : `${doubled}\r\n`;
}

const decoded = (reply: string): string => Buffer.from(reply, 'latin1').toString('utf8').replaceAll('\0', '');

/** The options with the host's checked address in its place, so that the connection cannot go anywhere else. */
async function checked(options: SessionOptions): Promise<SessionOptions> {
  const { addressOf, host } = options;
  if (!addressOf || !host) return options;
  return { ...options, host: await addressOf(host), ...(isIP(host) === 0 && { servername: host }) };
}

function setUp(connection: SMTPConnection, auth?: { user?: string; pass?: string }): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(fault('the mail server does not answer', { code: 'ETIMEDOUT', command: 'CONN' })), SMTP_LIMITS.setUpMs);
    const done = (error?: Error | null): void => {
      clearTimeout(late);
      if (error) reject(error);
      else resolve();
    };
    connection.on('error', done);
    connection.once('end', () => done(fault('the server closed the connection', { code: 'ECONNECTION', command: 'CONN' })));
    connection.connect((error?: Error) => {
      if (error || !auth?.user) done(error);
      else connection.login({ user: auth.user, pass: auth.pass ?? '' }, (refused: Error | null) => done(refused));
    });
  });
}

interface Internals {
  _socket: Socket;
  _supportedExtensions: string[];
  _clearPhase(): void;
}

/** The library has no public way to hand its signed-in socket on; its version is pinned and a test holds this to it. */
function takeSocket(connection: SMTPConnection): Socket {
  const internals = connection as unknown as Internals;
  internals._clearPhase();
  const socket = internals._socket;
  for (const event of ['data', 'error', 'close', 'end', 'timeout']) socket.removeAllListeners(event);
  return socket;
}

const extensionsOf = (connection: SMTPConnection): string[] => (connection as unknown as Internals)._supportedExtensions;
