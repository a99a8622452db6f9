import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { isLocalName, isPublicAddress } from '../public-address.js';
import type { SessionOptions } from './smtp-connection.js';
import { SmtpSession } from './smtp-session.js';

describe('addresses', () => {
  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.127.255.255',
    '127.8.9.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '203.0.113.9',
    '239.1.1.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fec0::1',
    'fd12::1',
    'ff02::1',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001::1',
    '2001:db8::1',
    'mail.example',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('names without a domain, and those of a local network, are local', () => {
    for (const name of [
      'localhost',
      'LOCALHOST.',
      'redis',
      'a.localhost',
      'db.internal.',
      'printer.local',
      '2130706433',
    ])
      expect(isLocalName(name)).toBe(true);
    for (const name of ['smtp.example.com', 'localhost.example.com', '8.8.8.8', '2606:4700::1111'])
      expect(isLocalName(name)).toBe(false);
  });
});

describe('a checked host', () => {
  const names: string[] = [];
  let server: SMTPServer;
  let port: number;
  beforeAll(async () => {
    server = new SMTPServer({
      secure: true,
      authOptional: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
    port = (server.server.address() as { port: number }).port;
  });
  afterAll(() => new Promise<void>((done) => server.close(() => done())));

  const open = (addressOf: (host: string) => Promise<string>) =>
    SmtpSession.open(
      {
        host: 'smtp.provider.example',
        port,
        secure: true,
        tls: { rejectUnauthorized: false },
        addressOf,
      } as SessionOptions,
      () => undefined,
      () => undefined,
    );

  it('is connected to by the checked address, while TLS verifies its name', async () => {
    const asked: string[] = [];
    const session = await open(async (host) => {
      asked.push(host);
      return '127.0.0.1';
    });
    session.quit();
    expect([asked, names]).toEqual([['smtp.provider.example'], ['smtp.provider.example']]);
  });

  it('is not connected to where the check fails', async () => {
    await expect(
      open(() => Promise.reject(Object.assign(new Error('refused'), { code: 'EDNS' }))),
    ).rejects.toMatchObject({ code: 'EDNS' });
    expect(names).toHaveLength(1);
  });
});
