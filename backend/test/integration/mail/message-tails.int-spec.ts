import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import type { ReadyMessage } from '../../../src/shared/mail/smtp/bulk-transport.js';
import { type SmtpFault, verdictOf } from '../../../src/shared/mail/smtp/smtp-verdict.js';
import { until } from '../../kit/until.js';
import { CLIENTS, failure, message, pool, sink } from './transport-support.js';

/** Lines of base64. Larger than what a socket accepts at once. */
const TAIL = Buffer.from(
  randomBytes(1_500_000).toString('base64').replace(/.{76}/g, '$&\r\n') + '\r\n--X--\r\n',
  'latin1',
);
const withTail = (to: string, tail = TAIL): ReadyMessage => ({
  ...message(to, '--X\r\n\r\n.text\r\n'.replace('.', '')),
  isPlain: true,
  tail,
});

describe.each(
  CLIENTS.flatMap(([name, open]) => [
    { name, open, way: 'pipelined', lockStep: false },
    { name, open, way: 'in lock step', lockStep: true },
  ]),
)('the $name transport, $way', ({ open, lockStep }) => {
  it('sends the tail after the body, whole and in order, on the same connections as messages without', async () => {
    sink.modes = { lockStep };
    const transport = open();
    const sent = Array.from({ length: 12 }, (_, i) =>
      transport.send(i % 2 === 0 ? withTail(`ok-${i}@x.test`) : message(`ok-${i}@x.test`, 'Short\r\n')),
    );
    expect((await Promise.all(sent)).every(({ response }) => response.startsWith('250'))).toBe(true);
    for (let i = 0; i < 12; i++) {
      const [{ raw } = { raw: '' }] = sink.storedOf(`ok-${i}@x.test`);
      const end = i % 2 === 0 ? `--X\r\n\r\ntext\r\n${TAIL.toString('latin1')}` : 'Short\r\n';
      expect(raw.endsWith(`\r\n\r\n${end}`)).toBe(true);
    }
    expect(sink.stored).toHaveLength(12);
    expect(sink.peakConnections).toBeLessThanOrEqual(3);
  });

  it('refused at the end or at the envelope leaves the connection to the next message', async () => {
    sink.modes = { lockStep };
    const transport = open({ maxConnections: 1 });
    expect(await failure(transport.send(withTail('p550-a@x.test')))).toMatchObject({ command: 'RCPT TO' });
    expect(await failure(transport.send(withTail('pol554-a@x.test')))).toMatchObject({ command: 'DATA' });
    await transport.send(withTail('ok-b@x.test'));
    expect(sink.peakConnections).toBe(1);
  });
});

/** A server that accepts messages of at most this many bytes, and announces this limit. */
async function limited(size: number, secure = false) {
  const taken: Buffer[] = [];
  const announced: unknown[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    size,
    secure,
    onMailFrom: ({ args }, _session, done) => {
      announced.push((args as { SIZE?: unknown }).SIZE);
      done();
    },
    onData: (stream, _session, done) => {
      buffer(stream).then(
        (bytes) => {
          if (stream.sizeExceeded) return done(Object.assign(new Error('5.3.4 too big'), { responseCode: 552 }));
          taken.push(bytes);
          done();
        },
        () => undefined,
      );
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  const { port } = server.server.address() as AddressInfo;
  return { port, taken, announced, close: () => new Promise<void>((done) => server.close(() => done())) };
}

/** Forwards connections to a server, and cuts the first one after this many bytes. */
async function cutting(port: number, after: number) {
  let left = after;
  const proxy = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const one of [socket, onward]) one.on('error', () => undefined);
    onward.pipe(socket);
    socket.on('data', (chunk: Buffer) => {
      if (left > 0 && (left -= chunk.length) <= 0) {
        socket.resetAndDestroy();
        onward.destroy();
      } else onward.write(chunk);
    });
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', () => ready()));
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => proxy.close(() => done())),
  };
}

describe('a connection', () => {
  it.each(CLIENTS)(
    'cut off within the tail has delivered nothing, so the %s client lets it be sent again',
    async (_name, open) => {
      const server = await limited(100_000_000);
      const proxy = await cutting(server.port, 300_000);
      const transport = open({ port: proxy.port, maxConnections: 1 });
      // More than the buffers of both ends can hold.
      const large = Buffer.concat(Array.from({ length: 20 }, () => TAIL));
      try {
        const fault = (await failure(transport.send(withTail('a@x.test', large)))) as unknown as SmtpFault;
        expect(verdictOf(fault)).toMatchObject({ kind: 'account', class: 'connection' });
        expect(server.taken).toHaveLength(0);
        await transport.send(withTail('a@x.test'));
        expect(server.taken).toHaveLength(1);
      } finally {
        transport.close();
        await proxy.close();
        await server.close();
      }
    },
  );
});

describe('a TLS connection', () => {
  it.each(CLIENTS)('carries messages with and without a tail in turn, by the %s client', async (_name, open) => {
    const server = await limited(100_000_000, true);
    const transport = open({ port: server.port, secure: true, ignoreTLS: false, tls: { rejectUnauthorized: false } });
    try {
      const messages = Array.from({ length: 9 }, (_, i) =>
        i % 3 === 2 ? message(`p${i}@x.test`) : withTail(`p${i}@x.test`),
      );
      await Promise.all(messages.map((one) => transport.send(one)));
      const whole = messages.map(({ head, body, tail }) => `${head}\r\n${body}${tail?.toString('latin1') ?? ''}`);
      expect(server.taken.map(String).sort()).toEqual(whole.sort());
    } finally {
      transport.close();
      await server.close();
    }
  });
});

describe('the size of a message', () => {
  it.each(CLIENTS)('over what the server takes refuses this message only, by the %s client', async (_name, open) => {
    const server = await limited(1_000_000);
    const transport = open({ port: server.port, maxConnections: 1 });
    try {
      const fault = (await failure(transport.send(withTail('a@x.test')))) as unknown as SmtpFault;
      expect(verdictOf(fault)).toMatchObject({ kind: 'permanent', class: 'policy' });
      await transport.send(withTail('b@x.test', TAIL.subarray(0, 78 * 1_000)));
      await transport.send(message('c@x.test'));
      expect(server.taken).toHaveLength(2);
    } finally {
      transport.close();
      await server.close();
    }
  });

  it('is told with the envelope of a message with a tail, to the byte, and of no other', async () => {
    const server = await limited(10_000_000);
    const transport = pool({ port: server.port, maxConnections: 1 });
    try {
      await transport.send(withTail('a@x.test'));
      await transport.send(message('b@x.test'));
      await until(() => server.taken.length === 2);
      expect(server.announced.map(Number)).toEqual([server.taken[0]!.length, NaN]);
    } finally {
      transport.close();
      await server.close();
    }
  });
});
