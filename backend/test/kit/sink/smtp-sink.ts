import { createServer, type Server, type Socket } from 'node:net';
import { Session } from './sink-session.js';
import type { SinkModes, StoredMail } from './sink-modes.js';

/**
 * An SMTP server on a raw socket. The recipient's local part selects the behaviour: t450xN-, t451xN- (45x at RCPT, N
 * times), d451xN- (451 after the dot, N times), r421xN- (421 at RCPT, N times), rate- (452 4.7.28 while limiting),
 * p550-, pol554-, f421-, cutdata- and cutdataN- (cut in mid-DATA, always or N times), cutdotN- (stored, then cut, N
 * times), slowN- (reply after N ms), hang- (no reply). Logs every RCPT in `attempts` and every complete message in
 * `stored`.
 */
export class SmtpSink {
  readonly attempts: { address: string; at: number }[] = [];
  readonly stored: StoredMail[] = [];
  /** Highest number of concurrent connections so far. */
  peakConnections = 0;
  /** Highest number of messages that were begun on one connection. */
  peakMails = 0;
  /** While true, hang- messages are stored and never answered. */
  hanging = true;
  /** While set, messages are stored, and answered once the promise resolves. */
  held?: Promise<void>;
  /** While true, rate- addresses get 452. */
  limiting = true;
  messages = 0;
  /** Number of messages that were stored and whose connection was then cut by `cutPer10k`. */
  cuts = 0;
  /** Time in ms of every thousandth message. */
  readonly marks: number[] = [];
  firstAt = 0;
  lastAt = 0;
  /** Longest time in ms between two messages. */
  longestGap = 0;
  modes: SinkModes = {};
  /** Accepted and refused messages of providers with a rate. */
  readonly byProvider = new Map<string, { accepted: number; refused: number; tokens: number; at: number }>();
  /** Overrides the reply to RCPT. */
  answer: (address: string) => string | undefined = () => undefined;
  private readonly ids = new Map<string, number>();
  /** Tests increment it between two events. Each copy counts for the phase in which its message was first stored. */
  phase = 0;
  /**
   * Number of further copies by the phase in which the first one was stored. Excludes messages first stored in phase 0.
   */
  readonly extraByPhase: number[] = [];
  private readonly phases = new Map<string, number>();
  private readonly sessions = new Set<Session>();
  private readonly server: Server;
  private port = 0;

  constructor(readonly keep: { bodies: boolean; log: boolean } = { bodies: true, log: true }) {
    this.server = createServer({ noDelay: true }, (socket) => this.open(socket));
    this.server.on('error', () => undefined);
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((ready) => this.server.listen(port, '127.0.0.1', 1024, ready));
    return `smtp://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  attemptsOf = (address: string): number => this.attempts.filter((one) => one.address === address).length;
  storedOf = (address: string): StoredMail[] => this.stored.filter((one) => one.address === address);

  /** Number of copies of all messages beyond the first copy of each. */
  get extraCopies(): number {
    return this.messages - this.ids.size;
  }

  get distinct(): number {
    return this.ids.size;
  }

  /** Stops listening and drops open connections. */
  unplug(): void {
    this.port = (this.server.address() as { port: number }).port;
    this.server.close();
    this.cutAll();
  }

  async plugIn(): Promise<void> {
    await this.listen(this.port);
  }

  /** Drops every open connection. */
  cutAll(): void {
    for (const session of this.sessions) session.drop();
  }

  /** Empties the logs and resets the counters and the phase. Keeps the peaks, the modes and the flags. */
  reset(): void {
    this.attempts.length =
      this.stored.length =
      this.marks.length =
      this.messages =
      this.cuts =
      this.firstAt =
      this.lastAt =
      this.longestGap =
        0;
    this.ids.clear();
    this.phase = this.extraByPhase.length = 0;
    this.phases.clear();
    this.byProvider.clear();
  }

  close(): Promise<void> {
    this.cutAll();
    return new Promise((done) => this.server.close(() => done()));
  }

  /**
   * Whether the provider of an address accepts a message now. Counts acceptances and refusals, unless neither
   * `providers` nor a rate is set.
   */
  admits(address: string): boolean {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    const provider = this.modes.providers?.[domain] ?? domain;
    const rate = this.modes.perSecond?.[provider];
    const now = performance.now();
    let counted = this.byProvider.get(provider);
    if (!counted) {
      if (rate === undefined && !this.modes.providers) return true;
      this.byProvider.set(provider, (counted = { accepted: 0, refused: 0, tokens: rate ?? 0, at: now }));
    }
    if (rate !== undefined) {
      counted.tokens = Math.min(Math.max(1, rate), counted.tokens + ((now - counted.at) / 1000) * rate);
      counted.at = now;
      if (counted.tokens < 1) {
        counted.refused++;
        return false;
      }
      counted.tokens--;
    }
    counted.accepted++;
    return true;
  }

  /**
   * Stores a message and counts its copies.
   * @returns how often the message has been stored
   */
  store(mail: StoredMail): number {
    if (this.keep.log) this.stored.push(mail);
    this.messages++;
    if (this.lastAt > 0) this.longestGap = Math.max(this.longestGap, mail.at - this.lastAt);
    this.firstAt ||= mail.at;
    this.lastAt = mail.at;
    if (this.messages % 1000 === 0) this.marks.push(mail.at);
    const copies = (this.ids.get(mail.messageId) ?? 0) + 1;
    // A slice would keep the whole received chunk in memory.
    const id = Buffer.from(mail.messageId, 'latin1').toString('latin1');
    this.ids.set(id, copies);
    if (this.phase > 0) this.countByPhase(id, copies);
    return copies;
  }

  private countByPhase(id: string, copies: number): void {
    const first = this.phases.get(id);
    if (first === undefined) this.phases.set(id, copies === 1 ? this.phase : 0);
    else this.extraByPhase[first] = (this.extraByPhase[first] ?? 0) + 1;
  }

  private open(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.modes.refuse) return void socket.resetAndDestroy();
    if (this.modes.closeEarly) return void socket.destroy();
    if (this.modes.mute) return void socket.resume();
    const session = new Session(socket, this);
    this.sessions.add(session);
    this.peakConnections = Math.max(this.peakConnections, this.sessions.size);
    socket.on('close', () => this.sessions.delete(session));
  }
}
