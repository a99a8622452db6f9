import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { networkOf, plainAddress, wideNetworkOf } from './client-network.js';

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', undefined],
    ['::ffff:192.0.2.7', '192.0.2.7', undefined],
    ['::FFFF:c000:207', '192.0.2.7', undefined],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7', undefined],
    ['2001:db8:1:2::5', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002:ffff:1:2:3', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['2001:db8::', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['', '', undefined],
    ['unknown', 'unknown', undefined],
    ['1.2.3', '1.2.3', undefined],
  ])('of %j is %j and %j', (ip, network, wide) => {
    expect(networkOf(ip)).toBe(network);
    expect(wideNetworkOf(ip)).toBe(wide);
  });

  it('is the same for all addresses of a /64, in any notation', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 }),
        fc.ipV6(),
        (prefix, any) => {
          const written = prefix.map((group, n) => group.toString(16).padStart(n % 2 ? 4 : 1, '0'));
          const host = (networkOf(any), ['1', 'ab', 'CD', '0']);
          expect(networkOf([...written, ...host].join(':'))).toBe(
            networkOf(`${prefix.map((group) => group.toString(16)).join(':')}::9`),
          );
        },
      ),
    );
  });

  it('converts mapped IPv4 addresses and keeps all others', () => {
    expect(plainAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
    expect(plainAddress('10.0.0.1')).toBe('10.0.0.1');
  });
});
