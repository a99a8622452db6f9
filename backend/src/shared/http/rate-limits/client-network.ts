import { isIPv6 } from 'node:net';

const MAPPED = ['0', '0', '0', '0', '0', 'ffff'];

/**
 * The network that rate limits count as one client: an IPv4 address, or the /64 of an IPv6 address, because one
 * subscriber controls all 2^64 addresses of a /64. An IPv4-mapped IPv6 address (::ffff:192.0.2.1, also in hex) counts
 * as IPv4.
 */
export function networkOf(ip: string): string {
  const groups = groupsOf(ip);
  if (!groups) return ip;
  return ipv4Of(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The /48 of an IPv6 address, because one customer of a provider may control a whole /48.
 * @returns undefined for IPv4
 */
export function wideNetworkOf(ip: string): string | undefined {
  const groups = groupsOf(ip);
  return groups && !ipv4Of(groups) ? `${groups.slice(0, 3).join(':')}::/48` : undefined;
}

/** The IP address. An IPv4-mapped IPv6 address is converted to IPv4. */
export function plainAddress(ip: string): string {
  const groups = groupsOf(ip);
  return (groups && ipv4Of(groups)) ?? ip;
}

function ipv4Of(groups: readonly string[]): string | undefined {
  if (!MAPPED.every((group, n) => groups[n] === group)) return undefined;
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * The eight groups of an IPv6 address, in lower case and without leading zeros.
 * @returns undefined for any other text
 */
function groupsOf(ip: string): string[] | undefined {
  if (!isIPv6(ip)) return undefined;
  const [text = ''] = ip.split('%');
  const hex = text.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_all, a, b, c, d) => `${((+a << 8) | +b).toString(16)}:${((+c << 8) | +d).toString(16)}`,
  );
  const [head = [], tail = []] = hex.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16));
}
