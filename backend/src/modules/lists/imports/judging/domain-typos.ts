import emailMisspelled, { all as PROVIDERS } from 'email-misspelled';
import { FREE_MAIL_DOMAINS } from '../../../contacts/index.js';

const MAX_EDIT_DISTANCE = 2;
/** Minimum length of a name for a suggestion two edits away: shorter names are similar to many others. */
const LONG_NAME = 6;
const LARGE_PROVIDERS = 150;
/**
 * Maximum number of cached answers; beyond it the oldest answer is dropped. Answers repeat, because a file has far
 * fewer domains than addresses.
 */
const MAX_CACHED_DOMAINS = 10_000;

/** Domains that are known to exist, and so never count as typos. */
const REAL: ReadonlySet<string> = new Set([...PROVIDERS, ...FREE_MAIL_DOMAINS]);
const SUGGESTED = [...FREE_MAIL_DOMAINS].slice(0, LARGE_PROVIDERS);

/**
 * Suggests the domain that a mistyped one was meant to be: a large mailbox provider, or one of the account's own
 * companies. The suggested domain is at most two edits away, or one if the name has under six letters. Two swapped
 * letters count as one edit.
 */
export class DomainTypos {
  private readonly real: ReadonlySet<string>;
  private readonly candidates: readonly { domain: string; letters: Uint8Array }[];
  private readonly known = new Map<string, string | null>();

  constructor(ownDomains: readonly string[]) {
    this.real = new Set([...REAL, ...ownDomains]);
    this.candidates = [...new Set([...SUGGESTED, ...ownDomains])].map((domain) => ({
      domain,
      letters: lettersOf(domain),
    }));
  }

  /** The domain that was probably intended. @returns null if the given domain looks right */
  suggest(domain: string): string | null {
    const known = this.known.get(domain);
    if (known !== undefined) return known;
    const suggestion = this.real.has(domain) ? null : this.find(domain);
    if (this.known.size >= MAX_CACHED_DOMAINS) this.known.delete(this.known.keys().next().value!);
    this.known.set(domain, suggestion);
    return suggestion;
  }

  private find(domain: string): string | null {
    const letters = lettersOf(domain);
    // Comparing letter counts is much faster than counting edits, and leaves few candidates.
    const near = this.candidates.filter((candidate) => mayBeNear(letters, candidate.letters));
    if (near.length === 0) return null;
    const domains = near.map((candidate) => candidate.domain);
    const found = emailMisspelled({ domains, maxMisspelled: MAX_EDIT_DISTANCE, lengthDiffMax: MAX_EDIT_DISTANCE })(
      `a@${domain}`,
    );
    const edits = found
      .map(({ suggest, misspelledCount }) => ({ suggest, edits: isSwap(domain, suggest) ? 1 : misspelledCount }))
      .filter((one) => one.edits <= (nameOf(one.suggest).length < LONG_NAME ? 1 : MAX_EDIT_DISTANCE))
      .sort((a, b) => a.edits - b.edits);
    return edits[0]?.suggest ?? null;
  }
}

const nameOf = (domain: string): string => domain.split('.', 1)[0]!;

/** How often each letter occurs; all other characters share one count. */
function lettersOf(domain: string): Uint8Array {
  const counts = new Uint8Array(27);
  for (let at = 0; at < domain.length; at += 1) {
    const letter = domain.charCodeAt(at) - 97;
    const place = letter >= 0 && letter < 26 ? letter : 26;
    counts[place] = counts[place]! + 1;
  }
  return counts;
}

/** Whether the letter counts allow MAX_EDIT_DISTANCE edits: one edit changes at most two counts by one. */
function mayBeNear(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let place = 0; place < a.length; place += 1) difference += Math.abs(a[place]! - b[place]!);
  return difference <= 2 * MAX_EDIT_DISTANCE;
}

/** Whether the texts differ only in two neighbouring letters that are swapped. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) && at + 1 < a.length;
}
