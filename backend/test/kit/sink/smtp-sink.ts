import { createServer, type Server, type Socket } from 'node:net';

/** What the whole server does, whoever is mailed (guide/email.md §8). */
export interface SinkModes {
  /** Resets each connection at once. */
  refuse?: boolean;
  /** Closes before the greeting. */
  closeEarly?: boolean;
  /** Takes connections and says nothing. */
  mute?: boolean;
  /** Greets with 421. */
  busy?: boolean;
  /** Refuses AUTH with 535. */
  refuseAuth?: boolean;
  /** Offers AUTH at all. */
  offerAuth?: boolean;
  /** Refuses every MAIL FROM with 550. */
  refuseSender?: boolean;
  /** Offers no PIPELINING. */
  lockStep?: boolean;
  /** Milliseconds before the answer to a message. */
  delayMs?: number;
  /** Of 10,000 messages, so many are answered 451 after the dot. */
  deferPer10k?: number;
  /** Of 10,000 messages, so many are stored and then cut off before the answer. */
  cutPer10k?: number;
  /** Messages a second that a provider takes, by its name; what is over it is answered 421 4.7.28 at RCPT. `providers` says which domains are whose. */
  perSecond?: Record<string, number>;
  /** Recipient domain → provider, for `perSecond`; others are their own. */
  providers?: Record<string, string>;
  /** Answers 250 only up to so many MAIL of one connection, then 421. */
  mailsPerConnection?: number;
}

export interface StoredMail {
  address: string;
  envelopeFrom: string;
  messageId: string;
  at: number;
  /** Empty where the sink was told not to keep bodies. */
  raw: string;
}

/**
 * An SMTP server on a raw socket that does what the recipient's local part says: t450xN-, t451xN- (N times 45x at RCPT), d451xN-
 * (N times 451 after the dot), r421xN- (N times 421 at RCPT), rate- (452 4.7.28 while limiting), p550-, pol554-, f421-, cutdata- and cutdataN- (cut in mid-DATA,
 * always or N times), cutdotN- (stored, then cut N times), slowN- (N ms before the answer), hang- (never answered). It logs every RCPT (attempts) and every body taken to its end (stored).
 */
export class SmtpSink {
  readonly attempts: { address: string; at: number }[] = [];
  readonly stored: StoredMail[] = [];
  /** Most connections open at once so far. */
  peakConnections = 0;
  /** Most messages begun on one connection so far. */
  peakMails = 0;
  /** While true, hang- messages are stored and never answered. */
  hanging = true;
  /** While true, rate- addresses are told to slow down. */
  limiting = true;
  messages = 0;
  /** Messages that were stored and then cut off by `cutPer10k`. */
  cuts = 0;
  /** Time of every thousandth message, and the last one. */
  readonly marks: number[] = [];
  firstAt = 0;
  lastAt = 0;
  /** Longest pause between two messages, in milliseconds. */
  longestGap = 0;
  modes: SinkModes = {};
  /** What providers with a rate took and refused. */
  readonly byProvider = new Map<string, { accepted: number; refused: number; tokens: number; at: number }>();
  /** An answer to RCPT in place of the local part's. */
  answer: (address: string) => string | undefined = () => undefined;
  private readonly ids = new Map<string, number>();
  /** Counted up by a test between two events, so that each copy can be put down to the one after its first. */
  phase = 0;
  /** Copies beyond the first, by the phase in which the first was stored; only of messages first stored after phase 0. */
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

  /** Messages stored more than once, and the copies beyond the first. */
  get extraCopies(): number {
    return this.messages - this.ids.size;
  }

  get distinct(): number {
    return this.ids.size;
  }

  /** Nothing listens any more: connections are refused, those that stand are dropped. */
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

  /** Forgets what was counted. */
  reset(): void {
    this.attempts.length = this.stored.length = this.marks.length = this.messages = this.cuts = this.firstAt = this.lastAt = this.longestGap = 0;
    this.ids.clear();
    this.phase = this.extraByPhase.length = 0;
    this.phases.clear();
    this.byProvider.clear();
  }

  close(): Promise<void> {
    this.cutAll();
    return new Promise((done) => this.server.close(() => done()));
  }

  /** Whether the provider of an address takes a message now; counts it either way. */
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

  /** Counts a body; gives how often this message was stored now. */
  store(mail: StoredMail): number {
    if (this.keep.log) this.stored.push(mail);
    this.messages++;
    if (this.lastAt > 0) this.longestGap = Math.max(this.longestGap, mail.at - this.lastAt);
    this.firstAt ||= mail.at;
    this.lastAt = mail.at;
    if (this.messages % 1000 === 0) this.marks.push(mail.at);
    const copies = (this.ids.get(mail.messageId) ?? 0) + 1;
    // A copy: a slice would keep all that came with it, of a million messages more than the heap holds.
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

const NUMBER_OF = /^(t450x|t451x|d451x|r421x|cutdata|cutdot|slow)(\d+)-/;

/** One connection: commands one after another, also where they arrive together. */
class Session {
  private input = '';
  private output = '';
  private from: string | null = null;
  private to: string | null = null;
  private inData = false;
  private waiting = false;
  private mails = 0;

  constructor(
    private readonly socket: Socket,
    private readonly sink: SmtpSink,
  ) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.read(chunk));
    this.socket.write(sink.modes.busy ? '421 4.3.2 too busy\r\n' : '220 sink ESMTP\r\n');
    if (sink.modes.busy) socket.end();
  }

  drop(): void {
    this.waiting = true;
    this.socket.destroy();
  }

  private read(chunk: string): void {
    this.input = this.input === '' ? chunk : this.input + chunk;
    this.work();
  }

  private work(): void {
    while (!this.waiting) {
      if (this.inData ? !this.takeBody() : !this.takeCommand()) break;
    }
    if (this.output !== '' && !this.socket.destroyed) {
      const output = this.output;
      this.output = '';
      this.socket.write(output, 'latin1');
    }
  }

  private say(line: string): true {
    this.output += `${line}\r\n`;
    return true;
  }

  private takeCommand(): boolean {
    const end = this.input.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.input.slice(0, end);
    this.input = this.input.slice(end + 2);
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO': return this.ehlo();
      case 'HELO': return this.say('250 sink');
      case 'AUTH': return this.auth(line);
      case 'MAIL': return this.mail(line);
      case 'RCPT': return this.rcpt(line);
      case 'DATA': return this.data();
      case 'RSET':
        this.from = this.to = null;
        return this.say('250 2.0.0 reset');
      case 'NOOP': return this.say('250 2.0.0 ok');
      case 'QUIT':
        this.say('221 2.0.0 bye');
        setImmediate(() => this.socket.end());
        return true;
      default: return this.say('500 5.5.2 what?');
    }
  }

  private ehlo(): true {
    const lines = ['sink', ...(this.sink.modes.lockStep ? [] : ['PIPELINING']), '8BITMIME', ...(this.sink.modes.offerAuth || this.sink.modes.refuseAuth ? ['AUTH PLAIN LOGIN'] : []), 'ENHANCEDSTATUSCODES'];
    return this.say(lines.map((word, i) => `250${i < lines.length - 1 ? '-' : ' '}${word}`).join('\r\n'));
  }

  private auth(line: string): true {
    if (this.sink.modes.refuseAuth) return this.say('535 5.7.8 wrong');
    return this.say(/^AUTH PLAIN \S/i.test(line) ? '235 2.7.0 ok' : '334 ');
  }

  private mail(line: string): true {
    if (this.sink.modes.refuseSender) return this.say('550 5.7.1 sender refused');
    if (this.from !== null) return this.say('503 5.5.1 nested MAIL');
    if (this.sink.modes.mailsPerConnection && this.mails >= this.sink.modes.mailsPerConnection) return this.hangUp('421 4.4.5 too many messages');
    this.mails++;
    this.sink.peakMails = Math.max(this.sink.peakMails, this.mails);
    this.from = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
    return this.say('250 2.1.0 ok');
  }

  private rcpt(line: string): true {
    if (this.from === null) return this.say('503 5.5.1 MAIL first');
    const address = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
    if (this.sink.keep.log) this.sink.attempts.push({ address, at: Date.now() });
    const refusal = this.sink.answer(address) ?? this.refusalOf(address) ?? (this.sink.modes.perSecond && !this.sink.admits(address) ? '421 4.7.28 our system has detected an unusual rate of mail from you' : undefined);
    if (refusal?.startsWith('421')) return this.hangUp(refusal);
    if (refusal) return this.say(refusal);
    this.to = address;
    return this.say('250 2.1.5 ok');
  }

  private refusalOf(address: string): string | undefined {
    const dash = address.indexOf('-');
    if (dash < 0) return undefined;
    const [, kind, times] = NUMBER_OF.exec(address) ?? [];
    if ((kind === 't450x' || kind === 't451x') && this.sink.attemptsOf(address) <= Number(times)) {
      return kind === 't450x' ? '450 4.7.1 greylisted' : '451 4.3.0 try again later';
    }
    if (kind === 'r421x' && this.sink.attemptsOf(address) <= Number(times)) return '421 4.3.2 going away';
    switch (address.slice(0, dash)) {
      case 'p550': return '550 5.1.1 no such user';
      case 'f421': return '421 4.3.2 going away';
      case 'rate': return this.sink.limiting ? '421 4.7.28 too many messages from you, slow down' : undefined;
      default: return undefined;
    }
  }

  private data(): true {
    if (this.to === null) return this.say('503 5.5.1 RCPT first');
    this.inData = true;
    return this.say('354 go on');
  }

  private takeBody(): boolean {
    const address = this.to!;
    const [, kind, times] = NUMBER_OF.exec(address) ?? [];
    if (address.startsWith('cutdata-') || (kind === 'cutdata' && this.sink.attemptsOf(address) <= Number(times))) {
      if (this.input !== '') this.drop();
      return false;
    }
    const end = this.input.startsWith('.\r\n') ? -2 : this.input.indexOf('\r\n.\r\n');
    if (end === -1) return false;
    const raw = end === -2 ? '' : this.input.slice(0, end + 2);
    this.input = this.input.slice(end + 5);
    this.inData = false;
    const from = this.from!;
    this.from = this.to = null;
    if (raw === '') return this.say('250 2.0.0 nothing');
    return this.judge(address, from, raw);
  }

  private judge(address: string, envelopeFrom: string, raw: string): boolean {
    const { modes } = this.sink;
    if (address.startsWith('pol554-')) return this.say('554 5.7.1 looks like spam');
    const [, kind, times] = NUMBER_OF.exec(address) ?? [];
    if (modes.deferPer10k && Math.random() * 10_000 < modes.deferPer10k) return this.say('451 4.3.0 not now');
    const at = raw.search(/^message-id:/im) + 11;
    const messageId = raw.slice(at, raw.indexOf('\r\n', at)).trim();
    if (kind === 'd451x' && this.sink.attemptsOf(address) <= Number(times)) {
      return this.say('451 4.3.0 not now');
    }
    const copies = this.sink.store({ address, envelopeFrom, messageId, at: Date.now(), raw: this.sink.keep.bodies ? Buffer.from(raw, 'latin1').toString('utf8').replace(/^\.\./gm, '.') : '' });
    const cut = (kind === 'cutdot' && copies <= Number(times)) || (modes.cutPer10k && Math.random() * 10_000 < modes.cutPer10k);
    if (cut || (address.startsWith('hang-') && this.sink.hanging)) {
      if (cut) this.sink.cuts++;
      if (cut) this.drop();
      this.waiting = true;
      return false;
    }
    const pause = kind === 'slow' ? Number(times) : (modes.delayMs ?? 0);
    if (pause === 0) return this.say('250 2.0.0 stored');
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.say('250 2.0.0 stored');
      this.work();
    }, pause);
    return false;
  }

  private hangUp(line: string): true {
    this.say(line);
    setImmediate(() => this.socket.end());
    return true;
  }
}
