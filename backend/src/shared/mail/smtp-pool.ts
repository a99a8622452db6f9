import type { SMTPPoolOptions } from 'nodemailer';
import type { MailTransport, ReadyMessage, SendReceipt } from './bulk-transport.js';
import type { ConnectionGuard } from './mail-accounts.js';
import { DkimSigner, type DkimOptions } from './dkim-signer.js';
import { fault, SmtpSession, type SessionOptions, type Task } from './smtp-session.js';

const IDLE_MS = 20_000;
/** Longest a message waits for a connection. */
const QUEUE_MS = 600_000;
/** Pause before another connection is tried while some still serve. */
const RECONNECT_MS = 5_000;

interface Waiting extends Task {
  since: number;
}

/** A pool of connections to one mail server; each carries one message at a time. */
export class SmtpPool implements MailTransport {
  private readonly sessions = new Set<SmtpSession>();
  private readonly waiting: Waiting[] = [];
  private readonly signer?: DkimSigner;
  private readonly max: number;
  private readonly perConnection: number;
  private opening = 0;
  private openAgainAt = 0;
  private closed = false;
  private readonly watch: NodeJS.Timeout;

  constructor(private readonly options: SMTPPoolOptions & ConnectionGuard) {
    this.max = options.maxConnections ?? 10;
    this.perConnection = options.maxMessages ?? Infinity;
    const dkim = options.dkim as DkimOptions | undefined;
    this.signer = dkim && new DkimSigner(dkim);
    this.watch = setInterval(() => this.look(), 1000).unref();
  }

  /** Connections that may be open at once. */
  get width(): number {
    return this.max;
  }

  send(message: ReadyMessage): Promise<SendReceipt> {
    if (!isOneAddress(message.envelope.to) || (message.envelope.from !== '' && !isOneAddress(message.envelope.from))) {
      return Promise.reject(Object.assign(new Error('the envelope is not one plain address each'), { messageEnded: false }));
    }
    return this.signer ? this.signer.signatureOf(message).then((signature) => this.enqueue(message, signature)) : this.enqueue(message, '');
  }

  private enqueue(message: ReadyMessage, signature: string): Promise<SendReceipt> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(fault('the transport is closed', { code: 'ECONNECTION', command: 'CONN' }));
      this.waiting.push({ message, signature, resolve, reject, requeued: false, since: Date.now() });
      this.dispatch();
    });
  }

  async verify(): Promise<void> {
    const session = await SmtpSession.open(this.options as SessionOptions, () => undefined, () => undefined);
    session.quit();
  }

  /** Messages under way end with an error; those who want them finished wait for them first. */
  close(): void {
    this.closed = true;
    clearInterval(this.watch);
    for (const session of [...this.sessions]) {
      if (session.isIdle) session.quit();
      else session.destroy();
    }
    this.rejectWaiting(fault('the transport is closed', { code: 'ECONNECTION', command: 'CONN' }));
  }

  private dispatch(): void {
    if (this.waiting.length === 0) return;
    for (const session of this.sessions) {
      if (session.isIdle) this.give(session);
      if (this.waiting.length === 0) return;
    }
    const now = Date.now();
    while (!this.closed && this.opening < this.waiting.length && this.sessions.size + this.opening < this.max && (now >= this.openAgainAt || this.sessions.size === 0)) {
      this.opening++;
      void this.openOne();
      if (this.openAgainAt > 0) break;
    }
  }

  private give(session: SmtpSession): void {
    if (session.started >= this.perConnection) return session.quit();
    for (let task = this.waiting.shift(); task; task = this.waiting.shift()) {
      if (!task.message.gate?.isRevoked) return session.start(task);
      task.reject(fault('the message was revoked', { code: 'EREVOKED', command: 'CONN' }));
    }
  }

  private async openOne(): Promise<void> {
    try {
      const session = await SmtpSession.open(this.options as SessionOptions, (gone) => this.drop(gone), (free) => this.give(free));
      this.opening--;
      this.openAgainAt = 0;
      if (this.closed) return session.quit();
      this.sessions.add(session);
      this.give(session);
    } catch (error) {
      this.opening--;
      this.openAgainAt = Date.now() + RECONNECT_MS;
      // Others still serve: the server only wants fewer of us.
      if (this.sessions.size === 0 && this.opening === 0) this.rejectWaiting(Object.assign(error as Error, { messageEnded: false }));
    }
  }

  private drop(session: SmtpSession): void {
    this.sessions.delete(session);
    if (session.orphan) this.waiting.unshift({ ...session.orphan, requeued: true, since: Date.now() });
    if (!this.closed) this.dispatch();
  }

  private look(): void {
    const now = Date.now();
    for (const session of [...this.sessions]) {
      session.checkTime(now);
      if (session.isIdle && now - session.idleSince > IDLE_MS) session.quit();
    }
    while (this.waiting[0] && now - this.waiting[0].since > QUEUE_MS) {
      this.waiting.shift()!.reject(fault('no connection became free', { code: 'ETIMEDOUT', command: 'CONN' }));
    }
    this.dispatch();
  }

  private rejectWaiting(error: Error): void {
    for (const task of this.waiting.splice(0)) task.reject(error);
  }
}

const isOneAddress = (address: string): boolean => /^[\x21-\x3b\x3d\x3f-\x7e][\x21-\x3b\x3d\x3f\x41-\x7e]*@[\x21-\x3b\x3d\x3f-\x7e]+$/.test(address);
