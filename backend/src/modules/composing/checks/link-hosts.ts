import { BlockList, isIP } from 'node:net';
import type { TextLink } from './document-text.js';

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
PRIVATE.addAddress('::', 'ipv6');
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Endings of host names that exist in no public DNS (RFC 6761, RFC 6762, and `internal`, reserved by ICANN). */
const PRIVATE_ENDINGS = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/**
 * Host of a web link as browsers read it, so that decimal and hexadecimal IP addresses are normalised.
 * @returns null unless the link is a valid http or https URL
 */
export function webHost(href: string): string | null {
  const url = URL.parse(href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether a host is this machine or in a private network. */
export function isPrivateHost(host: string): boolean {
  const kind = isIP(host);
  if (kind === 4) return PRIVATE.check(host, 'ipv4');
  if (kind === 6) return PRIVATE.check(host, 'ipv6');
  return !host.includes('.') || PRIVATE_ENDINGS.some((ending) => host === ending || host.endsWith(`.${ending}`));
}

/** Distinct public host names of web links in order, for DNS look-ups. */
export function publicHosts(links: readonly TextLink[]): string[] {
  const hosts = new Set<string>();
  for (const { href } of links) {
    const host = webHost(href);
    if (host && isIP(host) === 0 && !isPrivateHost(host)) hosts.add(host);
  }
  return [...hosts];
}
