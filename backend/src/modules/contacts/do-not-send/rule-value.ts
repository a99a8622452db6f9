import { domainToASCII } from 'node:url';
import { hostOf, parseAddress } from '../../../shared/mail/address.js';
import type { RuleKind } from '../contacts.constants.js';
import { isFreeMail, registrableDomain } from '../profiles/values/company-domain.js';

/** What a do-not-send rule names, in the form in which it is stored and compared. */
export interface RuleValue {
  kind: RuleKind;
  /** A normalised address, or a domain in its wire form: the rule holds for it and for everything below it. */
  value: string;
  /** SHA-256 of the address; null for a domain. */
  addressHash: Buffer | null;
  /** Registrable domain of a domain rule; null for free-mail domains and for addresses. */
  companyDomain: string | null;
}

/** Longest text in characters that may name an address, a domain or a URL. */
const MAX_LENGTH = 2_048;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const NAMED = /^[^<>]*<([^<>]+)>$/;
const BLANK = /[\s\p{Cc}]/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d-]{2,63}$/;

/**
 * Reads what somebody typed or pasted: an address, also with a name or as a mailto link, or a domain, also after an @, as
 * a URL, with a path, with a dot at its end or with letters outside ASCII.
 * @returns null for anything else, and for a domain that nobody can register, such as co.uk
 */
export function readRuleValue(typed: string): RuleValue | null {
  if (typed.length > MAX_LENGTH) return null;
  const text = typed.trim().normalize('NFC');
  const bare = NAMED.exec(text)?.[1]?.trim() ?? text;
  // A URL's parser would drop line breaks.
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
  // A text such as user@host:80/path is no address; its host must not become a rule by mistake.
  return parsed && !parsed.username && !parsed.password ? parsed.hostname : '';
}

/** No mail goes to hosts such as www.acme.com: a pasted site address means the company's domain. */
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
