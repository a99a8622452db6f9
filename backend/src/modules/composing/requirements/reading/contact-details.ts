import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { Span } from '../requirement.js';

/** A mail address or telephone number, with a normalised form for comparison. */
export interface ContactDetail extends Span {
  key: string;
}

const ADDRESS_CHAR = /[\p{L}\p{N}._%+'-]/u;
const HOST_CHAR = /[\p{L}\p{N}.-]/u;
/** An address whose signs are spelled out as words in brackets: "ravi (at) example (dot) com". */
const SPELLED_OUT_ADDRESS =
  /([a-z0-9._+-]{1,64})[ ]{0,2}[[({<][ ]?at[ ]?[\])}>][ ]{0,2}([a-z0-9.-]{1,100})(?:[ ]{0,2}[[({<]?[ ]?\bdot\b[ ]?[\])}>]?[ ]{0,2}([a-z]{2,20}))?/gi;
const MAX_ADDRESS_LENGTH = 254;

/**
 * Finds everything that looks like a mail address, even if its domain cannot exist, because posts must not contain it.
 */
export function findEmails(text: string): ContactDetail[] {
  const found: ContactDetail[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let from = at;
    while (from > done && at - from < MAX_ADDRESS_LENGTH && ADDRESS_CHAR.test(text[from - 1]!)) from -= 1;
    let to = at + 1;
    while (to < text.length && to - at < MAX_ADDRESS_LENGTH && HOST_CHAR.test(text[to]!)) to += 1;
    while (to > at + 1 && /[.-]/.test(text[to - 1]!)) to -= 1;
    if (from === at || to === at + 1) continue;
    if (text.slice(Math.max(0, from - 7), from).toLowerCase() === 'mailto:') from -= 7;
    found.push({
      from,
      to,
      key: text
        .slice(from, to)
        .toLowerCase()
        .replace(/^mailto:/, ''),
    });
    done = to;
  }
  for (const match of text.matchAll(SPELLED_OUT_ADDRESS)) {
    const host = match[3] ? `${match[2]}.${match[3]}` : match[2]!;
    if (!match[3] && !host.includes('.')) continue;
    found.push({ from: match.index, to: match.index + match[0].length, key: `${match[1]}@${host}`.toLowerCase() });
  }
  return found;
}

/** A run of digits with the separators of a telephone number. */
const DIGITS = /\+?\(?\d[\d().\- \t]{5,28}\d/g;
const EXTENSION = /^[ \t]{0,3}[,;]?[ \t]{0,3}(?:ext(?:n|ension)?\b|x)[.:]?[ \t#-]{0,3}\d{1,6}/i;
const PHONE_WORD =
  /(?:\b(?:phone|ph|cell|mobile|mob|tel|telephone|call|direct|desk|office|work|fax|whatsapp|text|contact|voice|reach|[cdmopt])|#)[ .:#)(-]{0,5}(?:no|number|us|at|me)?[ .:#)(-]{0,5}$/i;

/** Finds telephone numbers: US numbers, and foreign ones with a country code. Rates, dates and years are excluded. */
export function findPhones(text: string): ContactDetail[] {
  const found: ContactDetail[] = [];
  DIGITS.lastIndex = 0;
  for (let match = DIGITS.exec(text); match; match = DIGITS.exec(text)) {
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    // A number must not begin inside a word or an amount.
    const phone = /[\p{L}\d$#/_][-+(]?$/u.test(before) && !PHONE_WORD.test(before) ? null : phoneIn(match[0], before);
    if (!phone) {
      // Skip only the first group of digits, because a number may begin at the next one: "2 732-555-0134".
      const gap = match[0].search(/[ \t]/);
      DIGITS.lastIndex = match.index + (gap > 0 ? gap : match[0].length);
      continue;
    }
    const end = match.index + phone.length;
    const extension = EXTENSION.exec(text.slice(end, end + 24));
    found.push({
      from: match.index,
      to: end + (extension?.[0].length ?? 0),
      key: phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, ''),
    });
    DIGITS.lastIndex = end;
  }
  return found;
}

/**
 * The longest prefix of a run of digits that is a telephone number.
 * @returns null if no prefix is one
 */
function phoneIn(run: string, before: string): string | null {
  for (let candidate = run; candidate.length > 6;) {
    if (isPhone(candidate, before)) return candidate;
    const cut = candidate.search(/[ \t.()-]{1,9}\d{1,9}$/);
    if (cut <= 0) return null;
    candidate = candidate.slice(0, cut);
  }
  return null;
}

function isPhone(typed: string, before: string): boolean {
  const groups = typed.split(/\D+/).filter(Boolean);
  const digits = groups.join('');
  const isNamed = PHONE_WORD.test(before);
  if (typed.startsWith('+')) return digits.length >= 8 && digits.length <= 15 && isPossible(typed);
  if (digits.length === 7) return isNamed && groups.map(({ length }) => length).join('-') === '3-4';
  if (digits.length >= 11 && digits.length <= 13 && !digits.startsWith('1'))
    return (isNamed || /^(?:91|44|011|0091)$/.test(groups[0]!)) && isPossible(`+${digits.replace(/^0+(?:11)?/, '')}`);
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  if (national.length !== 10 || !/^[2-9]/.test(national)) return false;
  const shape = groups
    .map(({ length }) => length)
    .join('-')
    .replace(/^1-/, '');
  return (isNamed || ['3-3-4', '10', '11', '3-7', '6-4', '3-3-2-2'].includes(shape)) && isPossible(typed);
}

const isPossible = (typed: string): boolean =>
  parsePhoneNumberFromString(typed, { defaultCountry: 'US', extract: false })?.isPossible() ?? false;
