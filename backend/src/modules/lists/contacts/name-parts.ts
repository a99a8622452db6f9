import humanparser from 'humanparser';

export interface NameParts {
  firstName: string | null;
  lastName: string | null;
}

const NO_NAME_PARTS: NameParts = { firstName: null, lastName: null };
const MAX_NAME = 200;
const MAX_PART = 100;
const MAX_WORDS = 6;

/** Words in the names of companies, departments and shared mailboxes. */
const NO_PERSON = new Set(
  `inc incorporated llc llp ltd limited corp corporation company gmbh team teams recruiting recruiter recruiters recruitment staffing hr
   jobs careers talent hiring solutions technologies technology systems consulting consultants services group partners agency info sales
   support admin office desk department dept university bench vendor vendors global software enterprises associates international resources
   and`.split(/\s+/),
);
const TITLES = new Set('mr mrs ms miss mx dr prof rev fr sir madam hon sr jr ii iii iv phd md mba pmp'.split(' '));
/** Degrees and certificates after a comma: `Priya Patel, PMP`. */
const CREDENTIALS = /,\s*(?:mba|pmp|csm|phd|ph\.d\.?|md|cpa|esq|cir|phr|sphr|shrm-[sc]cp|cissp|pe|rn|ccna|csp)\.?\s*$/i;
const SIMPLE = /^([A-Z][a-z]+) ([A-Z][a-z]+)$/;

/**
 * Derives first and last name from a whole name: `Last, First` is reordered, titles and credentials are dropped,
 * capitals are normalised. Names of companies, teams and shared mailboxes yield none.
 */
export function nameParts(name: string | null | undefined): NameParts {
  const whole = (name ?? '')
    .slice(0, MAX_NAME)
    .replace(/\([^()]*\)|"[^"]*"/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (whole === '' || /[\d@/&|=<>{}[\]#*;:!?$%^~+\\_]/.test(whole)) return NO_NAME_PARTS;
  const words = whole
    .toLowerCase()
    .replace(/[.,()"]/g, ' ')
    .split(' ')
    .filter(Boolean);
  if (words.length > MAX_WORDS || words.some((word) => NO_PERSON.has(word))) return NO_NAME_PARTS;
  const simple = SIMPLE.exec(whole);
  if (simple && !words.some((word) => TITLES.has(word))) return { firstName: simple[1]!, lastName: simple[2]! };
  return parsed(whole);
}

function parsed(whole: string): NameParts {
  let bare = whole;
  while (CREDENTIALS.test(bare)) bare = bare.replace(CREDENTIALS, '');
  bare = withoutEnd(bare);
  if (!/\p{L}/u.test(bare)) return NO_NAME_PARTS;
  const { firstName, lastName } = humanparser.parseName(bare);
  return { firstName: part(firstName), lastName: part(lastName) };
}

/** One part of a name, with ordinary capitals. @returns null if the text is only an initial or a title */
function part(text: string | undefined): string | null {
  const trimmed = withoutEnd(text ?? '').replace(/^[\s,.'-]+/, '');
  if (!/\p{L}.*\p{L}|[^\u0000-\u024f]/u.test(trimmed) || TITLES.has(trimmed.toLowerCase().replaceAll('.', '')))
    return null;
  const isOneCase = trimmed === trimmed.toUpperCase() || trimmed === trimmed.toLowerCase();
  return (isOneCase ? withCapitals(trimmed) : trimmed).slice(0, MAX_PART);
}

const withCapitals = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_found, before: string, letter: string) => before + letter.toUpperCase());

/** The first and last name that a source gives; if it gives neither, they are derived from the whole name. */
export function partsOf(name: string | null, firstName: string, lastName: string): NameParts {
  return firstName || lastName ? { firstName: firstName || null, lastName: lastName || null } : nameParts(name);
}

/**
 * A whole name in its usual form: `Last, First` is reordered, titles and credentials are removed, capitals are
 * normalised. Names in that form, and names that do not belong to a person, stay as they are.
 * @returns null for an empty name
 */
export function cleanName(name: string | null | undefined): string | null {
  const whole = (name ?? '').replace(/\s+/g, ' ').trim();
  const { firstName, lastName } = nameParts(whole);
  const parts = [firstName, lastName].filter((part) => part !== null);
  if (parts.length === 0) return whole || null;
  if (lastName === null && INITIAL.test(whole.slice(parts[0]!.length)) && whole.startsWith(parts[0]!)) return whole;
  return whole.startsWith(parts[0]!) && whole.endsWith(parts.at(-1)!) ? whole : parts.join(' ');
}

/** The initial of a last name, with the blank before it. The initial is kept, because it distinguishes people. */
const INITIAL = /^ \p{L}\.?$/u;

/** Removes commas and blanks at the end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
