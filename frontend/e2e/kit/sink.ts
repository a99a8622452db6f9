import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/** An SMTP server that counts mails per recipient, and can delay and refuse them. */
export interface Sink {
  url: string;
  copies: Map<string, number>;
  total(): number;
  /**
   * Waits for a mail to an address.
   * @returns its first link to a path
   */
  linkTo(address: string, path: string): Promise<string>;
  /** Stops answering messages until `release`, at once or after `after` answers. */
  hold(after?: number): void;
  release(): void;
  /** Reply that refuses a recipient; undefined to accept the mail. */
  refuse: (address: string) => string | undefined;
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const copies = new Map<string, number>();
  const texts: { to: string; text: string }[] = [];
  const held: (() => void)[] = [];
  let answered = Infinity;
  const sink: Sink = {
    url: '',
    copies,
    hold: (after = 0) => void (answered = after),
    release: () => {
      answered = Infinity;
      for (const answer of held.splice(0)) answer();
    },
    refuse: () => undefined,
    total: () => [...copies.values()].reduce((sum, count) => sum + count, 0),
    linkTo: (address, path) =>
      until(`a link to ${path} for ${address}`, () =>
        texts
          .filter(({ to }) => to === address)
          .flatMap(({ text }) => text.match(/https?:\/\/[^\s"<>]+/g) ?? [])
          .find((link) => new URL(link).pathname.startsWith(path)),
      ),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      const [, code, text] = /^(\d{3}) (.*)$/.exec(sink.refuse(address) ?? '') ?? [];
      done(code ? Object.assign(new Error(text), { responseCode: Number(code) }) : null);
    },
    onData(stream, session, done) {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo) {
          copies.set(address, (copies.get(address) ?? 0) + 1);
          texts.push({ to: address, text: readable(raw) });
        }
        if (sink.total() > answered) held.push(done);
        else done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the sink has no port');
  sink.url = `smtp://127.0.0.1:${address.port}`;
  return sink;
}

/** The source of a mail with its quoted-printable lines joined, so that links are complete. */
const readable = (raw: string): string => raw.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
