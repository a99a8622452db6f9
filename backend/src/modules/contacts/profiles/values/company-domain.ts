import { getDomain } from 'tldts';
import { hostOf } from '../../../../shared/mail/address.js';
import { FREE_MAIL_DOMAINS } from './free-mail-domains.js';

/**
 * Maximum number of cached domains; beyond it the oldest entry is dropped. There are far fewer domains than addresses.
 */
const MAX_CACHED_DOMAINS = 10_000;
const known = new Map<string, string | null>();

/** Whether a domain, or its registrable domain, belongs to a free-mail provider. */
export const isFreeMail = (domain: string): boolean =>
  FREE_MAIL_DOMAINS.has(domain) || FREE_MAIL_DOMAINS.has(registrableDomain(domain) ?? '');

/**
 * The registrable domain of a host according to the Public Suffix List.
 * @returns null for a public suffix, an IP address, or an invalid host
 */
export const registrableDomain = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });

/**
 * The registrable domain of a normalised address according to the Public Suffix List, which the library includes.
 * @returns null for free-mail domains and for domains that nobody can register
 */
export function companyDomain(addressNorm: string): string | null {
  const host = hostOf(addressNorm);
  const found = known.get(host);
  if (found !== undefined) return found;
  const domain = FREE_MAIL_DOMAINS.has(host) ? null : registrableDomain(host);
  const company = domain === null || FREE_MAIL_DOMAINS.has(domain) ? null : domain;
  if (known.size >= MAX_CACHED_DOMAINS) known.delete(known.keys().next().value!);
  known.set(host, company);
  return company;
}
