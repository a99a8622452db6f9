import { describe, expect, it } from '@jest/globals';
import type { TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { refusedHost } from '../../../src/shared/mail/smtp/mail-host-guard.js';
import { type SmtpFault, verdictOf } from '../../../src/shared/mail/smtp/smtp-verdict.js';
import { CLIENTS, failure, message, sink } from './transport-support.js';

describe.each(CLIENTS)('the %s transport with a guarded host', (_name, pool) => {
  it('connects only to the address that the guard has checked', async () => {
    const asked: string[] = [];
    const addressOf = (host: string) => {
      asked.push(host);
      return Promise.resolve('127.0.0.1');
    };
    const transport = pool({ host: 'mail.guard.invalid', addressOf });
    await transport.send(message('ok-a@x.test'));
    await transport.verify();
    expect(asked).toEqual(['mail.guard.invalid', 'mail.guard.invalid']);
    const refusing = pool({ addressOf: () => Promise.reject(refusedHost('127.0.0.1')) });
    const fault = await failure(refusing.send(message('ok-b@x.test')));
    expect(fault).toMatchObject({ code: 'EDNS', messageEnded: false });
    expect(verdictOf(fault as unknown as SmtpFault).kind).toBe('account');
    await expect(refusing.verify()).rejects.toMatchObject({ code: 'EDNS' });
    expect(sink.stored).toHaveLength(1);
  });
});

describe.each(CLIENTS)('the %s transport over TLS', (_name, pool) => {
  it("takes over the library's connection after STARTTLS and login; sends nothing without TLS", async () => {
    const seen: { user?: string; secure: boolean; to: string }[] = [];
    const names: unknown[] = [];
    const server = new SMTPServer({
      authOptional: false,
      disableReverseLookup: true,
      onSecure: (socket, _session, done) => {
        names.push((socket as TLSSocket & { servername: string }).servername);
        done();
      },
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username! }) : done(new Error('no')),
      onData: (stream, session, done) => {
        stream.resume().on('end', () => {
          seen.push({
            user: session.user as unknown as string,
            secure: session.secure,
            to: session.envelope.rcptTo[0]!.address,
          });
          done();
        });
      },
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
    const options = {
      port: (server.server.address() as { port: number }).port,
      ignoreTLS: false,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    };
    const transport = pool({ ...options, auth: { user: 'ann', pass: 'right' } });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => transport.send(message(`t${i}@x.test`, 'x'.repeat(100_000) + '\r\n'))),
    );
    expect(seen).toHaveLength(20);
    expect(seen.every(({ user, secure }) => secure && user === 'ann')).toBe(true);
    expect(
      await failure(pool({ ...options, auth: { user: 'ann', pass: 'wrong' } }).send(message('t@x.test'))),
    ).toMatchObject({ code: 'EAUTH' });
    names.length = 0;
    const guarded = { ...options, host: 'mail.guard.invalid', addressOf: () => Promise.resolve('127.0.0.1') };
    await pool({ ...guarded, auth: { user: 'ann', pass: 'right' } }).verify();
    expect(names).toEqual(['mail.guard.invalid']);
    expect(
      await failure(pool({ ...guarded, tls: { rejectUnauthorized: true } }).send(message('t@x.test'))),
    ).toMatchObject({ messageEnded: false });
    expect(seen).toHaveLength(20);
    transport.close();
    server.close();
    expect(await failure(pool({ ignoreTLS: false, requireTLS: true }).send(message('t@x.test')))).toMatchObject({
      messageEnded: false,
    });
    expect(sink.attempts).toHaveLength(0);
  });
});
