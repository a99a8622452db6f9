import { SMTPServer } from 'smtp-server';

/** Counts what arrives for each recipient; nothing else. */
export interface Sink {
  url: string;
  copies: Map<string, number>;
  total(): number;
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const copies = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        for (const { address } of session.envelope.rcptTo) copies.set(address, (copies.get(address) ?? 0) + 1);
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the sink has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    copies,
    total: () => [...copies.values()].reduce((sum, count) => sum + count, 0),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
