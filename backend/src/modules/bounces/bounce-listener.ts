import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { SMTPServer, SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Settings } from '../../shared/config/settings.js';
import { networkOf } from '../../shared/http/rate-limits/client-network.js';
import { hostOf, localPartOf } from '../../shared/mail/address.js';
import { BounceHandler } from './bounce-handler.service.js';
import { REPORT_BYTES } from './mail-report.js';

const MAX_MESSAGE = 20 * 1024 * 1024;
const MAX_RECIPIENTS = 10;
const LISTEN_AGAIN_MS = 30_000;
const CLOSE_MS = 5_000;
/**
 * Limits for unauthenticated clients. A client over a limit gets a temporary refusal and retries. Tests lower the
 * limits.
 */
export const BOUNCE_LIMITS = {
  /** Maximum open connections of all clients together. */
  connections: 600,
  /**
   * Maximum open connections per client: an IPv4 address, or the IPv6 network of one customer. A large provider
   * delivers hundreds of bounces at once.
   */
  connectionsOfClient: 250,
  /** Maximum messages per client per minute. */
  messagesOfClient: 3_000,
  /** Idle timeout of a connection, in ms. */
  silenceMs: 60_000,
};
/** Local parts that receive feedback-loop complaints. RFC 5321 §4.5.1 requires postmaster. */
const COMPLAINT_MAILBOXES = new Set(['postmaster', 'abuse', 'fbl']);

type Done = (error?: Error | null, message?: string) => void;

/**
 * SMTP server for mail to BOUNCE_DOMAIN. Accepts reports from anyone, but only to addresses that we signed and to the
 * complaint mailboxes. Acknowledges a report once its effect is committed; until then the remote server keeps it and
 * retries. Never answers by mail.
 */
@Injectable()
export class BounceListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(BounceListener.name);
  private server?: SMTPServer;
  private retryTimer?: NodeJS.Timeout;
  private readonly open = new Map<string, number>();
  private readonly counted = new WeakSet<SMTPServerSession>();
  private readonly messages = new RateLimiterMemory({ points: BOUNCE_LIMITS.messagesOfClient, duration: 60 });

  constructor(
    private readonly settings: Settings,
    private readonly bounces: BounceHandler,
  ) {}

  /** The listening port; undefined while the server is not listening. */
  get port(): number | undefined {
    const address = this.server?.server.address();
    return address && typeof address === 'object' ? address.port : undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bounceDomain, bouncePort, inboundSecret, embedded } = this.settings;
    if (!bounceDomain) this.log.warn('BOUNCE_DOMAIN is not set: late bounces go unseen');
    else if (bouncePort === undefined && !inboundSecret && !embedded.has('mailbox')) {
      this.log.warn(
        'Neither BOUNCE_PORT nor INBOUND_SECRET is set: reports to BOUNCE_DOMAIN cannot be received, and late bounces go unnoticed',
      );
    }
    if (bounceDomain && bouncePort !== undefined) await this.listen(bouncePort);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.retryTimer);
    const { server } = this;
    if (server) await new Promise<void>((closed) => server.close(() => closed()));
  }

  /** Listens on the port. While another instance on this machine uses the port, retries until that instance ends. */
  private async listen(port: number): Promise<void> {
    const { SMTPServer: Server } = await import('smtp-server');
    const server = new Server({
      name: this.settings.bounceDomain,
      banner: 'Staffcast reports',
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      size: MAX_MESSAGE,
      maxClients: BOUNCE_LIMITS.connections,
      closeTimeout: CLOSE_MS,
      socketTimeout: BOUNCE_LIMITS.silenceMs,
      onConnect: (session, done) => this.connected(session, done),
      onClose: (session) => this.closed(session),
      onMailFrom: (_address, session, done) =>
        void this.messages.consume(networkOf(session.remoteAddress)).then(
          () => done(),
          () => done(refusal(450, '4.7.1 Too many messages, try again later')),
        ),
      onRcptTo: (address, session, done) => this.recipient(address, session, done),
      onData: (stream, session, done) => void this.data(stream, session, done),
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return this.log.debug(`bounce listener: ${error.message}`);
      this.log.warn(`BOUNCE_PORT ${port} is taken; it is tried again every ${LISTEN_AGAIN_MS / 1000} s`);
      this.retryTimer = setTimeout(() => void this.listen(port), LISTEN_AGAIN_MS).unref();
    });
    await new Promise<void>((settled) => {
      server.once('error', () => settled());
      server.listen(port, undefined, () => {
        this.server = server;
        settled();
      });
    });
  }

  private connected(session: SMTPServerSession, done: Done): void {
    const client = networkOf(session.remoteAddress);
    const count = this.open.get(client) ?? 0;
    if (count >= BOUNCE_LIMITS.connectionsOfClient)
      return done(refusal(421, '4.7.0 Too many connections, try again later'));
    this.open.set(client, count + 1);
    this.counted.add(session);
    done();
  }

  private closed(session: SMTPServerSession): void {
    if (!this.counted.delete(session)) return;
    const client = networkOf(session.remoteAddress);
    const left = (this.open.get(client) ?? 1) - 1;
    if (left > 0) this.open.set(client, left);
    else this.open.delete(client);
  }

  private recipient({ address }: SMTPServerAddress, session: SMTPServerSession, done: Done): void {
    const [local, domain] = [localPartOf(address).toLowerCase(), hostOf(address).toLowerCase()];
    if (domain !== this.settings.bounceDomain?.toLowerCase()) return done(refusal(550, '5.7.1 We relay no mail'));
    if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) return done(refusal(452, '4.5.3 Too many recipients'));
    if (!COMPLAINT_MAILBOXES.has(local) && !this.bounces.mailOf(address))
      return done(refusal(550, '5.1.1 No such address'));
    done();
  }

  private async data(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    try {
      const raw = await beginningOf(stream);
      if (stream.sizeExceeded) return done(refusal(552, '5.3.4 Too large'));
      const result = await this.bounces.receive(
        raw,
        session.envelope.rcptTo.map(({ address }) => address),
      );
      done(null, `2.6.0 ${result}`);
    } catch (error) {
      this.log.error({ err: error }, 'a report could not be written; it will come again');
      done(refusal(451, '4.3.0 Try again later'));
    }
  }
}

/** Reads the stream to its end but keeps only the beginning, which holds the report. */
async function beginningOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size < REPORT_BYTES) kept.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(kept);
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });
