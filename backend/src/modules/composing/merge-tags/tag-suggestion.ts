import type { TagCatalogue } from './tag-catalogue.js';

/** Names that other tools use for the tags on the right, in lower-case letters and digits. */
const NAMES_ELSEWHERE: Record<string, string> = {
  fname: 'first_name',
  firstname: 'first_name',
  givenname: 'first_name',
  forename: 'first_name',
  lname: 'last_name',
  lastname: 'last_name',
  surname: 'last_name',
  familyname: 'last_name',
  name: 'full_name',
  fullname: 'full_name',
  contactname: 'full_name',
  companyname: 'company',
  organization: 'company',
  organisation: 'company',
  emailaddress: 'email',
  mail: 'email',
  listname: 'list_name',
  sendername: 'sender_name',
  ownername: 'sender_name',
  date: 'today',
};
const OWNERS =
  /^(contact|subscriber|recipient|person|people|user|lead|customer|params|merge|custom_?field|fields?)[._]/;
/** Maximum edit distance between an unknown name and a suggested one. */
const FARTHEST = 3;

/**
 * Suggests a tag for an unknown name: by the names that other tools use, else by the nearest spelling.
 * @returns null if no known tag is similar enough
 */
export function suggestionFor(tag: string, catalogue: TagCatalogue): string | null {
  const bare = tag.replace(OWNERS, '');
  const compact = bare.replace(/[^a-z0-9]/g, '');
  const elsewhere = Object.hasOwn(NAMES_ELSEWHERE, compact) ? NAMES_ELSEWHERE[compact]! : '';
  const meant = [bare, elsewhere, `field.${bare}`].find((candidate) => catalogue.has(candidate));
  if (meant !== undefined) return meant;
  let best: { tag: string; distance: number } | null = null;
  for (const known of catalogue.keys()) {
    if (Math.abs(known.length - tag.length) > FARTHEST) continue;
    const distance = editDistance(tag, known);
    if (distance <= Math.min(FARTHEST, known.length / 3) && distance < (best?.distance ?? Infinity))
      best = { tag: known, distance };
  }
  return best?.tag ?? null;
}

/** Levenshtein distance of two short names. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
