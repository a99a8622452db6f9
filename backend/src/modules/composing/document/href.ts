import { DOCUMENT_LIMITS } from './document.js';

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Control characters, white space and bidirectional marks, which could disguise the target of a link. */
const HIDDEN = /[\s\p{Cc}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * Checks the URL of a link: absolute http, https, mailto and tel URLs without credentials are allowed.
 * @returns what is wrong with it, or null
 */
export function hrefFault(href: unknown): string | null {
  if (typeof href !== 'string' || href === '') return 'a link needs an address';
  if (href.length > DOCUMENT_LIMITS.hrefLength)
    return `a link's address has at most ${DOCUMENT_LIMITS.hrefLength} characters`;
  if (!href.isWellFormed() || HIDDEN.test(href)) return "a link's address has no blanks and no invisible characters";
  const url = URL.parse(href);
  if (!url || !SCHEMES.has(url.protocol)) return "a link's address begins with https, http, mailto or tel";
  if (isWeb(url) && !/^https?:\/\/[^/\\]/i.test(href)) return "a link's address begins with https, http, mailto or tel";
  if (url.username || url.password) return "a link's address holds no user name and no password";
  return null;
}

const isWeb = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:';
