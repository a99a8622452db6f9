import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that are not public (RFC 6890 and updates). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Non-public ranges inside 2000::/3, the global unicast space: documentation, benchmarking, and addresses that embed an
 * IPv4 address.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = new BlockList();
for (const range of SPECIAL_IPV4) special.addSubnet(...partsOf(range), 'ipv4');
for (const range of SPECIAL_IPV6) special.addSubnet(...partsOf(range), 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

function partsOf(range: string): [network: string, bits: number] {
  const [network = '', bits] = range.split('/');
  return [network, Number(bits)];
}

/**
 * Whether an IP address is public. False for private, loopback, link-local, documentation and multicast addresses, and
 * for an IPv4 address embedded in IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIPv6(address) && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Whether a host name is local, whatever DNS answers: a name of this machine, of a local network, or without a domain.
 */
export const isLocalName = (host: string): boolean =>
  /^[^.:]*\.?$|(^|\.)(localhost|localdomain|local|internal|intranet|lan|corp|home\.arpa)\.?$/i.test(host);
