import { describe, expect, it } from '@jest/globals';
import { type AddressInfo, createServer } from 'node:net';
import { SMTP_LIMITS } from '../../../src/shared/mail/smtp/smtp-options.js';
import { type SmtpFault, verdictOf } from '../../../src/shared/mail/smtp/smtp-verdict.js';
import { CLIENTS, failure, message, sink } from './transport-support.js';
import { until } from '../../kit/until.js';

describe.each(
  CLIENTS.flatMap(([name, open]) => [
    { name, open, way: 'pipelined', lockStep: false },
    { name, open, way: 'in lock step', lockStep: true },
  ]),
)('the $name transport, $way', ({ open: pool, lockStep }) => {
  it('sends many messages once each, unchanged, with the allowed number of connections', async () => {
    sink.modes = { lockStep };
    const transport = pool();
    const body = '.\r\n..two\r\n.hidden\r\nFrom me\r\n';
    const receipts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => transport.send(message(`ok-${i}@x.test`, body))),
    );
    expect(receipts.every(({ response }) => response.startsWith('250'))).toBe(true);
    expect(new Set(sink.stored.map(({ address }) => address)).size).toBe(200);
    expect(sink.stored).toHaveLength(200);
    expect(sink.stored.every(({ raw }) => raw.endsWith(`\r\n\r\n${body}`))).toBe(true);
    expect(sink.peakConnections).toBeLessThanOrEqual(3);
  });

  it('reports the step of a refusal, and continues on the same connection', async () => {
    sink.modes = { lockStep };
    const transport = pool({ maxConnections: 1 });
    const asked = [
      'p550-a@x.test',
      'ok-a@x.test',
      'pol554-a@x.test',
      'ok-b@x.test',
      't451x1-a@x.test',
      'ok-c@x.test',
    ].map((to) =>
      transport.send(message(to)).then(
        () => 'taken',
        (error: object) => error,
      ),
    );
    expect(await Promise.all(asked)).toMatchObject([
      { command: 'RCPT TO', responseCode: 550, messageEnded: false },
      'taken',
      { command: 'DATA', responseCode: 554 },
      'taken',
      { command: 'RCPT TO', responseCode: 451 },
      'taken',
    ]);
    sink.modes = { lockStep, refuseSender: true };
    expect(await failure(transport.send(message('ok-d@x.test')))).toMatchObject({
      command: 'MAIL FROM',
      responseCode: 550,
    });
    sink.modes = { lockStep };
    await transport.send(message('ok-e@x.test'));
    expect(sink.peakConnections).toBe(1);
  });
});

describe.each(CLIENTS)('the %s transport with failing servers', (_name, pool) => {
  it('reports whether the whole message was sent before the connection broke', async () => {
    const transport = pool();
    await transport.send(message('ok-first@x.test'));
    expect(await failure(transport.send(message('cutdata-a@x.test', 'x'.repeat(30_000_000) + '\r\n')))).toMatchObject({
      messageEnded: false,
      command: 'CONN',
    });
    expect(await failure(transport.send(message('cutdot1-a@x.test')))).toMatchObject({
      messageEnded: true,
      command: 'CONN',
    });
    await transport.send(message('ok-after@x.test'));
  });

  it('reports a 421 at the recipient as the answer to it, at each position on a connection', async () => {
    const transport = pool({ maxConnections: 1 });
    for (const lockStep of [false, true]) {
      sink.modes = { lockStep };
      for (const to of ['f421-fresh@x.test', 'ok-used@x.test', 'f421-used@x.test']) {
        const sent = transport.send(message(to));
        if (to.startsWith('ok-')) await sent;
        else {
          const fault = await failure(sent);
          expect(fault).toMatchObject({ command: 'RCPT TO', responseCode: 421 });
          expect(verdictOf(fault as unknown as SmtpFault)).toMatchObject({ kind: 'temporary', class: 'transient' });
        }
      }
    }
    expect(sink.attemptsOf('f421-used@x.test')).toBe(2);
  });

  it('never sends a message again whose answer was lost, and reports that', async () => {
    const transport = pool({ maxConnections: 1 });
    await transport.send(message('ok-first@x.test'));
    const fault = await failure(transport.send(message('cutdot1-a@x.test')));
    expect(verdictOf(fault as unknown as SmtpFault).kind).toBe('unknown');
    await transport.send(message('ok-last@x.test'));
    expect(sink.storedOf('cutdot1-a@x.test')).toHaveLength(1);
  });

  it('rejects a message that is revoked while it waits', async () => {
    const transport = pool({ maxConnections: 1 });
    const gate = { isRevoked: false, isLost: false };
    const first = transport.send(message('slow200-a@x.test'));
    const waiting = failure(transport.send({ ...message('ok-b@x.test'), gate }));
    gate.isRevoked = true;
    expect(verdictOf((await waiting) as unknown as SmtpFault).kind).toBe('revoked');
    await first;
    expect(sink.attempts.map(({ address }) => address)).toEqual(['slow200-a@x.test']);
  });

  it('rejects a message that is revoked while its connection is set up', async () => {
    const transport = pool();
    const gate = { isRevoked: false, isLost: false };
    const sent = failure(transport.send({ ...message('ok-a@x.test'), gate }));
    gate.isRevoked = true;
    expect(await sent).toMatchObject({ code: 'EREVOKED', messageEnded: false });
    expect(sink.attempts).toHaveLength(0);
    await transport.send(message('ok-b@x.test'));
  });

  it('sends no body of a message that another worker may have taken over, and ends the connection', async () => {
    const transport = pool({ maxConnections: 1 });
    await transport.send(message('ok-first@x.test'));
    const gate = { isRevoked: false, isLost: true };
    const lost = await failure(transport.send({ ...message('ok-lost@x.test'), gate }));
    expect(lost).toMatchObject({ code: 'EREVOKED', messageEnded: false });
    expect(verdictOf(lost as unknown as SmtpFault).kind).toBe('revoked');
    await transport.send({ ...message('ok-last@x.test'), gate: { isRevoked: false, isLost: false } });
    expect(sink.stored.map(({ address }) => address)).toEqual(['ok-first@x.test', 'ok-last@x.test']);
  });

  it('sends messages on the connections that the server accepts', async () => {
    const transport = pool({ maxConnections: 3 });
    await transport.send(message('ok-first@x.test'));
    const first = transport.send(message('slow100-a@x.test'));
    await until(() => sink.attemptsOf('slow100-a@x.test') > 0);
    sink.modes = { busy: true };
    await Promise.all([first, ...[1, 2, 3].map((n) => transport.send(message(`ok-${n}@x.test`)))]);
    expect(sink.stored).toHaveLength(5);
  });

  it('opens another connection after the maximum number of messages per connection', async () => {
    const transport = pool({ maxMessages: 5, maxConnections: 2 });
    await Promise.all(Array.from({ length: 33 }, (_, i) => transport.send(message(`ok-${i}@x.test`))));
    expect(sink.stored).toHaveLength(33);
    expect(sink.peakMails).toBe(5);
  });

  it('does not take half a reply for a reply', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 half\r\n');
      socket.setEncoding('latin1').on('data', (text: string) => {
        if (text.endsWith('\r\n.\r\n')) socket.end('550 5.1.1 half a re');
        else socket.write(text.startsWith('DATA') ? '354 go on\r\n' : '250 ok\r\n');
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const fault = await failure(pool({ port: (server.address() as AddressInfo).port }).send(message('a@x.test')));
    expect(fault).toMatchObject({ messageEnded: true });
    expect(verdictOf(fault as unknown as SmtpFault).kind).toBe('unknown');
    server.close();
  });

  it('sends with the null reverse path, and to an address exactly as it is stored', async () => {
    const odd = "o'k,(x):y;z%1+A@X.test";
    await pool().send({ ...message(odd), envelope: { from: '', to: odd } });
    expect(sink.stored).toMatchObject([{ envelopeFrom: '', address: odd }]);
  });

  it('gives up a server that stops answering, and reports whether the message had been sent', async () => {
    const transport = pool({ maxConnections: 1 });
    await transport.send(message('ok-a@x.test'));
    const { afterDotMs } = SMTP_LIMITS;
    Object.assign(SMTP_LIMITS, { afterDotMs: 300 });
    try {
      expect(await failure(transport.send(message('hang-a@x.test')))).toMatchObject({
        code: 'ETIMEDOUT',
        messageEnded: true,
      });
    } finally {
      Object.assign(SMTP_LIMITS, { afterDotMs });
    }
    await transport.send(message('ok-b@x.test'));
  });

  it('always ends with a result: refused, closed early, silent, busy, wrong password', async () => {
    const quick = { connectionTimeout: 300, greetingTimeout: 300 };
    for (const [mode, expected] of [
      [{ refuse: true }, { messageEnded: false }],
      [{ closeEarly: true }, { messageEnded: false }],
      [{ mute: true }, { code: 'ETIMEDOUT' }],
      [{ busy: true }, { responseCode: 421 }],
      [{ refuseAuth: true }, { code: 'EAUTH', responseCode: 535 }],
    ] as const) {
      sink.modes = mode;
      const transport = pool({ ...quick, auth: { user: 'u', pass: 'p' } });
      const faults = await Promise.all(
        Array.from({ length: 5 }, () => failure(transport.send(message('ok-a@x.test')))),
      );
      for (const fault of faults) expect(fault).toMatchObject(expected);
    }
    expect(sink.stored).toHaveLength(0);
  });

  it('opens another connection where the server limits messages per connection, without failing a message', async () => {
    sink.modes = { mailsPerConnection: 7 };
    const transport = pool();
    await Promise.all(Array.from({ length: 60 }, (_, i) => transport.send(message(`ok-${i}@x.test`))));
    expect(sink.stored).toHaveLength(60);
  });

  it('notices a closed idle connection, without failing a message', async () => {
    const transport = pool();
    await transport.send(message('ok-a@x.test'));
    sink.cutAll();
    await transport.send(message('ok-b@x.test'));
    expect(sink.stored).toHaveLength(2);
  });

  it('fails a message whose connections always break early', async () => {
    const transport = pool();
    await transport.send(message('ok-a@x.test'));
    sink.answer = () => {
      sink.cutAll();
      return '250 ok';
    };
    expect(await failure(transport.send(message('ok-b@x.test')))).toMatchObject({
      messageEnded: false,
      command: 'CONN',
    });
    sink.answer = () => undefined;
    await transport.send(message('ok-c@x.test'));
    expect(sink.attempts.map(({ address }) => address)).toEqual([
      'ok-a@x.test',
      'ok-b@x.test',
      'ok-b@x.test',
      'ok-c@x.test',
    ]);
  });

  it('never sends to more than one recipient', async () => {
    const transport = pool();
    for (const to of ['a@x.test>\r\nRCPT TO:<b@x.test', 'a@x.test, b@x.test', 'a b@x.test', ''])
      await failure(transport.send(message(to)));
    expect(sink.attempts).toHaveLength(0);
  });

  it('fails waiting messages when it is closed', async () => {
    const transport = pool({ maxConnections: 1 });
    const hanging = [
      failure(transport.send(message('hang-a@x.test'))),
      failure(transport.send(message('ok-b@x.test'))),
    ];
    await until(() => sink.stored.length > 0);
    transport.close();
    expect(await Promise.all(hanging)).toMatchObject([{ messageEnded: true }, { messageEnded: false }]);
  });
});
