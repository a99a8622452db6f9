import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { composeMessage, splitMessage, type ReadyMessage } from '../../../src/shared/mail/bulk-transport.js';
import { DkimSigner } from '../../../src/shared/mail/dkim-signer.js';
import { mailerBridge } from '../../../src/shared/mail/mailer-bridge.js';
import { SmtpPool } from '../../../src/shared/mail/smtp-pool.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';

let sink: SmtpSink;
let port: number;
let pools: SmtpPool[];
beforeEach(async () => {
  sink = new SmtpSink();
  port = Number(new URL(await sink.listen()).port);
  pools = [];
});
afterEach(async () => {
  for (const pool of pools) pool.close();
  await sink.close();
});

function pool(options: object = {}): SmtpPool {
  const made = new SmtpPool({ host: '127.0.0.1', port, ignoreTLS: true, name: 'kit.test', maxConnections: 3, ...options });
  pools.push(made);
  return made;
}
let count = 0;
const message = (to: string, body = 'Hello\r\n'): ReadyMessage => ({
  envelope: { from: 'b-1@bounces.test', to }, head: `From: a@kit.test\r\nTo: ${to}\r\nSubject: Hi\r\nMessage-ID: <${++count}@kit.test>\r\n`, body,
});
const failure = (work: Promise<unknown>) => work.then(() => { throw new Error('it was taken'); }, (error: Error) => error as unknown as Record<string, unknown>);

describe.each([['pipelined', false], ['in lock step', true]])('the transport, %s', (_name, lockStep) => {
  it('hands many messages over, each once, dots and all, on no more connections than it may', async () => {
    sink.modes = { lockStep };
    const transport = pool();
    const body = '.\r\n..two\r\n.hidden\r\nFrom me\r\n';
    const receipts = await Promise.all(Array.from({ length: 200 }, (_, i) => transport.send(message(`ok-${i}@x.test`, body))));
    expect(receipts.every(({ response }) => response.startsWith('250'))).toBe(true);
    expect(new Set(sink.stored.map(({ address }) => address)).size).toBe(200);
    expect(sink.stored).toHaveLength(200);
    expect(sink.stored.every(({ raw }) => raw.endsWith(`\r\n\r\n${body}`))).toBe(true);
    expect(sink.peakConnections).toBeLessThanOrEqual(3);
  });

  it('tells at which step it was refused, and goes on with the same connection', async () => {
    sink.modes = { lockStep };
    const transport = pool({ maxConnections: 1 });
    const asked = ['p550-a@x.test', 'ok-a@x.test', 'pol554-a@x.test', 'ok-b@x.test', 't451x1-a@x.test', 'ok-c@x.test'].map((to) => transport.send(message(to)).then(() => 'taken', (error: object) => error));
    expect(await Promise.all(asked)).toMatchObject([
      { command: 'RCPT TO', responseCode: 550, messageEnded: false }, 'taken', { command: 'DATA', responseCode: 554 }, 'taken', { command: 'RCPT TO', responseCode: 451 }, 'taken',
    ]);
    sink.modes = { lockStep, refuseSender: true };
    expect(await failure(transport.send(message('ok-d@x.test')))).toMatchObject({ command: 'MAIL FROM', responseCode: 550 });
    sink.modes = { lockStep };
    await transport.send(message('ok-e@x.test'));
    expect(sink.peakConnections).toBe(1);
  });
});

describe('the transport in trouble', () => {
  it('knows whether a message had been handed over whole when the connection broke (F12, F13)', async () => {
    const transport = pool();
    await transport.send(message('ok-first@x.test'));
    expect(await failure(transport.send(message('cutdata-a@x.test', 'x'.repeat(30_000_000) + '\r\n')))).toMatchObject({ messageEnded: false, command: 'CONN' });
    expect(await failure(transport.send(message('cutdot1-a@x.test')))).toMatchObject({ messageEnded: true, command: 'CONN' });
    await transport.send(message('ok-after@x.test'));
  });

  it('always settles: refused, closed early, mute, busy, wrong password (F11, F17)', async () => {
    const quick = { connectionTimeout: 300, greetingTimeout: 300 };
    for (const [mode, expected] of [
      [{ refuse: true }, { messageEnded: false }], [{ closeEarly: true }, { messageEnded: false }], [{ mute: true }, { code: 'ETIMEDOUT' }],
      [{ busy: true }, { responseCode: 421 }], [{ refuseAuth: true }, { code: 'EAUTH', responseCode: 535 }],
    ] as const) {
      sink.modes = mode;
      const transport = pool({ ...quick, auth: { user: 'u', pass: 'p' } });
      const faults = await Promise.all(Array.from({ length: 5 }, () => failure(transport.send(message('ok-a@x.test')))));
      for (const fault of faults) expect(fault).toMatchObject(expected);
    }
    expect(sink.stored).toHaveLength(0);
  });

  it('opens another connection where the server wants no more messages on this one, at nobody\'s cost', async () => {
    sink.modes = { mailsPerConnection: 7 };
    const transport = pool();
    await Promise.all(Array.from({ length: 60 }, (_, i) => transport.send(message(`ok-${i}@x.test`))));
    expect(sink.stored).toHaveLength(60);
  });

  it('notices an idle connection that the server closed, at nobody\'s cost', async () => {
    const transport = pool();
    await transport.send(message('ok-a@x.test'));
    sink.cutAll();
    await transport.send(message('ok-b@x.test'));
    expect(sink.stored).toHaveLength(2);
  });

  it('gives up a message whose connections always break before it is taken', async () => {
    const transport = pool();
    await transport.send(message('ok-a@x.test'));
    sink.answer = () => {
      sink.cutAll();
      return '250 ok';
    };
    expect(await failure(transport.send(message('ok-b@x.test')))).toMatchObject({ messageEnded: false, command: 'CONN' });
    await pause(100);
    expect(sink.attempts).toHaveLength(3);
  });

  it('never says more than one recipient', async () => {
    const transport = pool();
    for (const to of ['a@x.test>\r\nRCPT TO:<b@x.test', 'a@x.test, b@x.test', 'a b@x.test', '']) await failure(transport.send(message(to)));
    expect(sink.attempts).toHaveLength(0);
  });

  it('ends what waits when it is closed', async () => {
    const transport = pool({ maxConnections: 1 });
    const hanging = [failure(transport.send(message('hang-a@x.test'))), failure(transport.send(message('ok-b@x.test')))];
    while (sink.stored.length === 0) await pause(5);
    transport.close();
    expect(await Promise.all(hanging)).toMatchObject([{ messageEnded: true }, { messageEnded: false }]);
  });
});

describe('the transport over TLS', () => {
  it('takes the library\'s connection over after STARTTLS and a login; without TLS it says nothing (M19)', async () => {
    const seen: { user?: string; secure: boolean; to: string }[] = [];
    const server = new SMTPServer({
      authOptional: false, disableReverseLookup: true,
      onAuth: ({ username, password }, _session, done) => (password === 'right' ? done(null, { user: username! }) : done(new Error('no'))),
      onData: (stream, session, done) => {
        stream.resume().on('end', () => {
          seen.push({ user: session.user as unknown as string, secure: session.secure, to: session.envelope.rcptTo[0]!.address });
          done();
        });
      },
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
    const options = { port: (server.server.address() as { port: number }).port, ignoreTLS: false, requireTLS: true, tls: { rejectUnauthorized: false } };
    const transport = pool({ ...options, auth: { user: 'ann', pass: 'right' } });
    await Promise.all(Array.from({ length: 20 }, (_, i) => transport.send(message(`t${i}@x.test`, 'x'.repeat(100_000) + '\r\n'))));
    expect(seen).toHaveLength(20);
    expect(seen.every(({ user, secure }) => secure && user === 'ann')).toBe(true);
    expect(await failure(pool({ ...options, auth: { user: 'ann', pass: 'wrong' } }).send(message('t@x.test')))).toMatchObject({ code: 'EAUTH' });
    transport.close();
    server.close();
    expect(await failure(pool({ ignoreTLS: false, requireTLS: true }).send(message('t@x.test')))).toMatchObject({ messageEnded: false });
    expect(sink.attempts).toHaveLength(0);
  });
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = { domainName: 'kit.test', keySelector: 's1', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, headerFieldNames: 'From:To:Subject:Message-ID:List-Unsubscribe-Post:Content-Type:MIME-Version:Date' };

describe('signing', () => {
  const odd = { from: 'a@kit.test', to: 'b@x.test', subject: 'Folded '.repeat(20), text: 'Two  spaces \t and trailing   \n\n.dot\n\n\n', html: '<p>é</p>', headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } };

  it('verifies, and hashes the body as the library does', async () => {
    const ready = await composeMessage({ ...odd, messageId: '<1@kit.test>', date: new Date(0) });
    const line = await new DkimSigner(dkim).signatureOf(ready);
    const tags = Object.fromEntries(line.replace(/\r\n/g, '').replace(/^DKIM-Signature: /, '').split(';').map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s/g, '')]));
    const names = tags.h!.split(':');
    expect(names).toEqual(['from', 'to', 'subject', 'message-id', 'list-unsubscribe-post', 'content-type', 'mime-version', 'date']);
    const lines = ready.head.replace(/\r\n([ \t])/g, '$1').split('\r\n');
    const relaxed = (text: string) => text.replace(/[ \t]+/g, ' ').trim();
    const covered = [...names.map((name) => lines.find((one) => one.toLowerCase().startsWith(`${name}:`))!).map((one) => `${one.slice(0, one.indexOf(':')).toLowerCase()}:${relaxed(one.slice(one.indexOf(':') + 1))}\r\n`),
      `dkim-signature:${relaxed(line.replace(/\r\n/g, '').slice(15).replace(/b=[A-Za-z0-9+/= ]*$/, 'b='))}`].join('');
    expect(createVerify('sha256').update(covered).verify(createPublicKey(privateKey), tags.b!, 'base64')).toBe(true);
    expect(Math.max(...line.split('\r\n').map((one) => one.length))).toBeLessThanOrEqual(78);
    const theirs = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim } as never);
    const signed = String(((await theirs.sendMail({ ...odd, messageId: '<1@kit.test>', date: new Date(0) } as never)) as unknown as { message: Buffer }).message);
    const ours = await new DkimSigner(dkim).signatureOf(splitMessage(signed, { from: 'a@kit.test', to: 'b@x.test' }));
    const hashOf = (text: string) => /bh=([^;]+);/.exec(text)![1]!.replace(/\s/g, '');
    expect(hashOf(ours)).toBe(hashOf(signed));
  });

  it('names what is over-signed once more, also where the message has none, and covers no more than stands there', async () => {
    const ready = await composeMessage({ ...odd, messageId: '<1@kit.test>', date: new Date(0) });
    const line = await new DkimSigner({ ...dkim, headerFieldNames: 'From:Subject:Reply-To', overSignedNames: 'From:Subject:Reply-To' }).signatureOf(ready);
    const unfolded = line.replace(/\r\n[ \t]/g, '').replace(/\r\n$/, '');
    expect(/;\s*h=([^;]+);/.exec(unfolded)![1]!.replace(/\s/g, '')).toBe('from:subject:from:subject:reply-to');
    const relaxed = (text: string) => text.replace(/\r\n/g, '').replace(/[ \t]+/g, ' ').trim();
    const value = (name: string) => relaxed(new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'im').exec(ready.head)![1]!);
    const covered = `from:${value('From')}\r\nsubject:${value('Subject')}\r\ndkim-signature:${relaxed(line.slice(15).replace(/b=[A-Za-z0-9+/=\s]*$/, 'b='))}`;
    expect(createVerify('sha256').update(covered).verify(createPublicKey(privateKey), /;\s*b=([^;]*)$/.exec(unfolded)![1]!.replace(/\s/g, ''), 'base64')).toBe(true);
  });

  it('is done for what the mailer module sends too', async () => {
    const mailer = createTransport(mailerBridge(pool({ dkim })) as never);
    await mailer.sendMail({ ...odd, to: { name: '', address: 'ok-sys@x.test' } } as never);
    expect(sink.stored[0]!.raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=kit\.test/);
    expect(sink.stored[0]!.address).toBe('ok-sys@x.test');
    await expect(mailer.sendMail({ ...odd, to: 'p550-sys@x.test' } as never)).rejects.toMatchObject({ command: 'RCPT TO', responseCode: 550 });
  });
});
