import type { SMTPPoolOptions } from 'nodemailer';
import { envelopeFault, type MailTransport, type ReadyMessage, type SendReceipt } from './bulk-transport.js';
import type { ConnectionGuard } from './mail-accounts.js';
import { DkimSigner, type DkimOptions } from './dkim-signer.js';
import { fault, type SessionOptions } from './smtp-connection.js';
import { SmtpSession } from './smtp-session.js';
import type { Transmission } from './smtp-transmission.js';

const IDLE_MS = 20_000;
/** Maximum time in milliseconds for which a message waits for a connection. */
const MAX_WAIT_MS = 600_000;
/** Delay in milliseconds before another connection attempt, if other connections work. */
const RECONNECT_MS = 5_000;

interface Waiting extends Transmission {
  since: number;
}

/** Connection pool to one mail server; each connection carries one message at a time. */
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

  /** Maximum number of open connections. */
  get width(): number {
    return this.max;
  }

  send(message: ReadyMessage): Promise<SendReceipt> {
    const refused = envelopeFault(message.envelope);
    if (refused) return Promise.reject(refused);
    return this.signer
      ? this.signer.signatureOf(message).then((signature) => this.enqueue(message, signature))
      : this.enqueue(message, '');
  }

  private enqueue(message: ReadyMessage, signature: string): Promise<SendReceipt> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(fault('the transport is closed', { code: 'ECONNECTION', command: 'CONN' }));
      this.waiting.push({ message, signature, resolve, reject, requeued: false, since: Date.now() });
      this.dispatch();
    });
  }

  async verify(): Promise<void> {
    const session = await SmtpSession.open(
      this.options as SessionOptions,
      () => undefined,
      () => undefined,
    );
    session.quit();
  }

  /** Fails the messages in progress. Callers that need their results must wait for them first. */
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
    while (
      !this.closed &&
      this.opening < this.waiting.length &&
      this.sessions.size + this.opening < this.max &&
      (now >= this.openAgainAt || this.sessions.size === 0)
    ) {
      this.opening++;
      void this.openOne();
      if (this.openAgainAt > 0) break;
    }
  }

  private give(session: SmtpSession): void {
    if (session.started >= this.perConnection) return session.quit();
    for (let transmission = this.waiting.shift(); transmission; transmission = this.waiting.shift()) {
      if (!transmission.message.gate?.isRevoked) return session.start(transmission);
      transmission.reject(fault('the message was revoked', { code: 'EREVOKED', command: 'CONN' }));
    }
  }

  private async openOne(): Promise<void> {
    try {
      const session = await SmtpSession.open(
        this.options as SessionOptions,
        (gone) => this.drop(gone),
        (free) => this.give(free),
      );
      this.opening--;
      this.openAgainAt = 0;
      if (this.closed) return session.quit();
      this.sessions.add(session);
      this.give(session);
    } catch (error) {
      this.opening--;
      this.openAgainAt = Date.now() + RECONNECT_MS;
      // If other connections work, the server limits their number, and waiting messages use them.
      if (this.sessions.size === 0 && this.opening === 0)
        this.rejectWaiting(Object.assign(error as Error, { messageEnded: false }));
    }
  }

  private drop(session: SmtpSession): void {
    this.sessions.delete(session);
    if (session.interrupted) this.waiting.unshift({ ...session.interrupted, requeued: true, since: Date.now() });
    if (!this.closed) this.dispatch();
  }

  private look(): void {
    const now = Date.now();
    for (const session of [...this.sessions]) {
      session.checkTime(now);
      if (session.isIdle && now - session.idleSince > IDLE_MS) session.quit();
    }
    while (this.waiting[0] && now - this.waiting[0].since > MAX_WAIT_MS) {
      this.waiting.shift()!.reject(fault('no connection became free', { code: 'ETIMEDOUT', command: 'CONN' }));
    }
    this.dispatch();
  }

  private rejectWaiting(error: Error): void {
    for (const transmission of this.waiting.splice(0)) transmission.reject(error);
  }
}
