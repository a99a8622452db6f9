import { contains, startsWith } from '../../shared/database/keyset.js';

/** Contacts among which any text is looked for anywhere in the address: so many are read within milliseconds. */
const SCANNED_CONTACTS = 20_000;
/** Three letters side by side, or fewer at a word's edge: the trigram index finds no text without them. */
const TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/**
 * Pattern for LIKE on `email_norm`, which is in lower case. A text that is too short for the index is looked for at the beginning of the
 * addresses only where there are many: looking for it anywhere would read them all.
 * @param contacts how many contacts are searched
 */
export function addressSearch(search: string, contacts: number): string {
  const text = search.trim().toLowerCase();
  return contacts > SCANNED_CONTACTS && !TRIGRAM.test(text) ? startsWith(text) : contains(text);
}
