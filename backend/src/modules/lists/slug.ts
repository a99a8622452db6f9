import { randomInt } from 'node:crypto';

/** No letters that are read for one another, so that a printed link can be typed. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const RANDOM_LENGTH = 10;

/** A list's public address: its name, and a part that cannot be guessed (decisions.md D22). */
export function makeSlug(name: string): string {
  const words = name.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60).replace(/-$/, '');
  const random = Array.from({ length: RANDOM_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return words ? `${words}-${random}` : random;
}
