import { domainToASCII } from 'node:url';
import { hostOf, parseAddress } from '../../../shared/mail/address.js';
import type { RuleKind } from '../contacts.constants.js';
import { isFreeMail, registrableDomain } from '../profiles/values/company-domain.js';

/** What a do-not-send rule applies to, in the form in which it is stored and compared. */
export interface RuleValue {
  kind: RuleKind;
  /** A normalised address, or a domain in lower-case ASCII (Punycode) that includes its subdomains. */
  value: string;
  /** SHA-256 of the address; null for a domain. */
  addressHash: Buffer | null;
  /** Registrable domain of a domain rule; null for free-mail domains and for addresses. */
  companyDomain: string | null;
}

/** Maximum length in characters of a text that may be an address, a domain or a URL. */
const MAX_LENGTH = 2_048;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const NAMED = /^[^<>]*<([^<>]+)>$/;
const BLANK = /[\s\p{Cc}]/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d-]{2,63}$/;

/**
 * Reads a typed or pasted text as an address or a domain. An address may have a name or be a mailto link. A domain may
 * follow an @, be a URL, have a path, end with a dot, or contain letters outside ASCII.
 * @returns null for any other text, and for a domain that nobody can register, such as co.uk
 */
export function readRuleValue(typed: string): RuleValue | null {
  if (typed.length > MAX_LENGTH) return null;
  const text = typed.trim().normalize('NFC');
  const bare = NAMED.exec(text)?.[1]?.trim() ?? text;
  // A text with white space is refused here, because a URL parser would drop line breaks.
  if (BLANK.test(bare)) return null;
  if (/^mailto:/i.test(bare)) return addressOf(decoded(bare.slice('mailto:'.length).split('?')[0]!));
  if (/^https?:\/\//i.test(bare)) return domainOf(hostOfUrl(bare));
  if (SCHEME.test(bare) && !/^[^/:]+:\d+(\/|$)/.test(bare)) return null;
  if (bare.lastIndexOf('@') > 0) return addressOf(bare);
  return domainOf(hostOfUrl(`http://${bare.replace(/^@/, '')}`));
}

function addressOf(text: string): RuleValue | null {
  const address = parseAddress(text.replace(/\.$/, ''));
  if (!address || registrableDomain(hostOf(address.norm)) === null) return null;
  return { kind: 'address', value: address.norm, addressHash: address.hash, companyDomain: null };
}

function hostOfUrl(url: string): string {
  const parsed = URL.parse(url);
  // A text such as user@host:80/path is not an address, and its host must not become a rule by mistake.
  return parsed && !parsed.username && !parsed.password ? parsed.hostname : '';
}

/**
 * The rule for a host. Drops `www.`: a pasted site address stands for the company's domain, and no mail goes to
 * www.acme.com.
 */
function domainOf(host: string): RuleValue | null {
  const domain = domainToASCII(host).replace(/\.$/, '').toLowerCase();
  const withoutWww = domain.replace(/^www\./, '');
  const value = registrableDomain(withoutWww) === null ? domain : withoutWww;
  const registrable = registrableDomain(value);
  if (!DOMAIN.test(value) || registrable === null) return null;
  return { kind: 'domain', value, addressHash: null, companyDomain: isFreeMail(value) ? null : registrable };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
