import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Settings } from '../../../src/shared/config/settings.js';
import { HostLookup } from '../../../src/modules/sending/check/host-lookup.js';

/** A server that counts connections to the machine itself. */
let canary: Server;
let connections = 0;
let port: number;

beforeAll(async () => {
  canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  canary.listen(0, '::');
  await once(canary, 'listening');
  ({ port } = canary.address() as AddressInfo);
});
afterAll(() => void canary.close());

/** A lookup that finds every name, as if a name server had been made to answer any query. */
function lookupBy(linkCheck: Settings['linkCheck']): HostLookup {
  const lookup = new HostLookup({ linkCheck } as Settings);
  Object.assign(lookup, { byName: () => Promise.resolve('found') });
  Object.assign(lookup.ports, { https: port, http: port });
  return lookup;
}

describe('LINK_CHECK=http', () => {
  it.each([
    'localhost',
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    'fd00::1',
  ])('opens no connection to %s, by whatever name it is reached', async (host) => {
    expect(await lookupBy('http').of(host)).toBe('unknown');
    expect(connections).toBe(0);
  });

  it('opens none at all where only names are asked for', async () => {
    expect(await lookupBy('dns').of('localhost')).toBe('found');
    expect(connections).toBe(0);
  });

  it('would be seen: the canary counts a connection of anybody else', async () => {
    await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    expect(connections).toBe(1);
  });
});
