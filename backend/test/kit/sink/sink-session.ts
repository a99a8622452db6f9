import { type Socket } from 'node:net';
import { SmtpSink } from './smtp-sink.js';

const NUMBER_OF = /^(t450x|t451x|d451x|r421x|cutdata|cutdot|slow)(\d+)-/;
const END_OF_BODY = '\r\n.\r\n';

/** One connection. Runs commands one after another, even if they arrive together. */
export class Session {
  private input = '';
  /** The last characters of `input`, which may be the start of the end-of-body mark. */
  private tail = '';
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
    if (this.inData && this.input !== '' && !this.waiting) {
      // Searches only the new chunk and the tail. Searching the whole body for each chunk would take quadratic time.
      const fresh = this.tail + chunk;
      if (!fresh.includes(END_OF_BODY)) {
        this.input += chunk;
        this.tail = fresh.slice(1 - END_OF_BODY.length);
        return;
      }
    }
    this.input = this.input === '' ? chunk : this.input + chunk;
    this.work();
    this.tail = this.input.slice(1 - END_OF_BODY.length);
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
      case 'EHLO':
        return this.ehlo();
      case 'HELO':
        return this.say('250 sink');
      case 'AUTH':
        return this.auth(line);
      case 'MAIL':
        return this.mail(line);
      case 'RCPT':
        return this.rcpt(line);
      case 'DATA':
        return this.data();
      case 'RSET':
        this.from = this.to = null;
        return this.say('250 2.0.0 reset');
      case 'NOOP':
        return this.say('250 2.0.0 ok');
      case 'QUIT':
        this.say('221 2.0.0 bye');
        setImmediate(() => this.socket.end());
        return true;
      default:
        return this.say('500 5.5.2 what?');
    }
  }

  private ehlo(): true {
    const lines = [
      'sink',
      ...(this.sink.modes.lockStep ? [] : ['PIPELINING']),
      '8BITMIME',
      ...(this.sink.modes.offerAuth || this.sink.modes.refuseAuth ? ['AUTH PLAIN LOGIN'] : []),
      'ENHANCEDSTATUSCODES',
    ];
    return this.say(lines.map((word, i) => `250${i < lines.length - 1 ? '-' : ' '}${word}`).join('\r\n'));
  }

  private auth(line: string): true {
    if (this.sink.modes.refuseAuth) return this.say('535 5.7.8 wrong');
    return this.say(/^AUTH PLAIN \S/i.test(line) ? '235 2.7.0 ok' : '334 ');
  }

  private mail(line: string): true {
    if (this.sink.modes.refuseSender) return this.say('550 5.7.1 sender refused');
    if (this.from !== null) return this.say('503 5.5.1 nested MAIL');
    if (this.sink.modes.mailsPerConnection && this.mails >= this.sink.modes.mailsPerConnection)
      return this.hangUp('421 4.4.5 too many messages');
    this.mails++;
    this.sink.peakMails = Math.max(this.sink.peakMails, this.mails);
    this.from = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
    return this.say('250 2.1.0 ok');
  }

  private rcpt(line: string): true {
    if (this.from === null) return this.say('503 5.5.1 MAIL first');
    const address = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
    if (this.sink.keep.log) this.sink.attempts.push({ address, at: Date.now() });
    const refusal =
      this.sink.answer(address) ??
      this.refusalOf(address) ??
      (this.sink.modes.perSecond && !this.sink.admits(address)
        ? '421 4.7.28 our system has detected an unusual rate of mail from you'
        : undefined);
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
      case 'p550':
        return '550 5.1.1 no such user';
      case 'f421':
        return '421 4.3.2 going away';
      case 'rate':
        return this.sink.limiting ? '421 4.7.28 too many messages from you, slow down' : undefined;
      default:
        return undefined;
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
    const end = this.input.startsWith('.\r\n') ? -2 : this.input.indexOf(END_OF_BODY);
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
    const copies = this.sink.store({
      address,
      envelopeFrom,
      messageId,
      at: Date.now(),
      raw: this.sink.keep.bodies ? Buffer.from(raw, 'latin1').toString('utf8').replace(/^\.\./gm, '.') : '',
    });
    const cut =
      (kind === 'cutdot' && copies <= Number(times)) || (modes.cutPer10k && Math.random() * 10_000 < modes.cutPer10k);
    if (cut || (address.startsWith('hang-') && this.sink.hanging)) {
      if (cut) this.sink.cuts++;
      if (cut) this.drop();
      this.waiting = true;
      return false;
    }
    const pause = kind === 'slow' ? Number(times) : (modes.delayMs ?? 0);
    const { held } = this.sink;
    if (pause === 0 && !held) return this.say('250 2.0.0 stored');
    this.waiting = true;
    const answer = (): void => {
      this.waiting = false;
      this.say('250 2.0.0 stored');
      this.work();
    };
    if (held) void held.then(answer);
    else setTimeout(answer, pause);
    return false;
  }

  private hangUp(line: string): true {
    this.say(line);
    setImmediate(() => this.socket.end());
    return true;
  }
}
