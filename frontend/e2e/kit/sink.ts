import { SMTPServer } from 'smtp-server';

/** Counts what arrives for each recipient; can keep a sender waiting and can refuse. */
export interface Sink {
  url: string;
  copies: Map<string, number>;
  total(): number;
  /** From now on no message is answered, until `release`. */
  hold(): void;
  release(): void;
  /** What to answer to a recipient instead of yes. */
  refuse: (address: string) => string | undefined;
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const copies = new Map<string, number>();
  const held: (() => void)[] = [];
  let isHolding = false;
  const sink: Sink = {
    url: '',
    copies,
    hold: () => void (isHolding = true),
    release: () => {
      isHolding = false;
      for (const answer of held.splice(0)) answer();
    },
    refuse: () => undefined,
    total: () => [...copies.values()].reduce((sum, count) => sum + count, 0),
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
      stream.resume();
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo) copies.set(address, (copies.get(address) ?? 0) + 1);
        if (isHolding) held.push(done);
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
