import type { JobLocation } from '../job.js';
import type { Span } from '../requirement.js';
import { CITIES, PLACE_NAMES, STATE_CODES, STATES, WORD_CITIES, WORD_CODES } from './places-data.js';

/** A place that a text names. */
export interface Place extends Span {
  place: JobLocation;
  /** Whether city and state are known, or written unambiguously. */
  isPlain: boolean;
}

interface Word extends Span {
  text: string;
}

const WORD = /[\p{L}][\p{L}.'-]*/gu;
const BETWEEN_WORDS = /^[ \t]{1,2}$/;
const BEFORE_STATE = /^[ \t]{0,2}[,.(/-]{0,2}[ \t]{0,2}$/;
/** Maximum number of words of a city's name. */
const MAX_WORDS = 3;
/** Words that never begin the name of a city. */
const NO_CITY =
  /^(?:in|at|near|from|location|loc|city|onsite|on-site|remote|hybrid|or|and|to|the|for|only|local|locals|candidates|must|be|is|based|client|site|office|us|usa|any|position|role|job|developer|engineer|analyst|architect|manager|lead|consultant)$/i;

/**
 * Finds places in a text, in order.
 * @param isLabelled whether a label announces the text as a place
 */
export function findPlaces(text: string, isLabelled: boolean): Place[] {
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const plain = word.replace(/[.'-]{1,9}$/, '');
    return { text: plain, from: index, to: index + plain.length };
  });
  const places: Place[] = [];
  let done = 0;
  for (let n = 0; n < words.length; n += 1) {
    if (words[n]!.from < done) continue;
    const found = stateAt(text, words, n, done, isLabelled) ?? cityAt(text, words, n, isLabelled);
    if (!found) continue;
    places.push(found);
    done = found.to;
  }
  return withRegions(text, places);
}

/** Reads a state, by code or name, with the city before it. */
function stateAt(text: string, words: readonly Word[], n: number, done: number, isLabelled: boolean): Place | null {
  const state = stateOf(text, words, n);
  if (!state) return null;
  const { code, isCode, to } = state;
  const before = words[n - 1];
  const gap = before && before.from >= done ? text.slice(before.to, words[n]!.from) : null;
  const isJoined = gap !== null && BEFORE_STATE.test(gap);
  const hasComma = isJoined && gap.includes(',');
  const known = isJoined ? knownCity(text, words, n - 1, done, code) : null;
  const isCapital = !isCode || words[n]!.text === words[n]!.text.toUpperCase();
  if (known && (isCapital || hasComma)) return { ...known, to, isPlain: true };
  if (isCode && (!isCapital || (WORD_CODES.has(code) && !hasComma))) return null;
  const written = hasComma ? writtenCity(text, words, n - 1, done) : null;
  if (written) return { from: written.from, to, place: { city: written.city, region: code }, isPlain: written.isWhole };
  if (isCode && WORD_CODES.has(code) && !isLabelled) return null;
  if (!isCode && !isLabelled) return null;
  return { from: words[n]!.from, to, place: { region: code }, isPlain: isLabelled };
}

function stateOf(
  text: string,
  words: readonly Word[],
  n: number,
): { code: string; isCode: boolean; to: number } | null {
  const word = words[n]!;
  const upper = word.text.replaceAll('.', '').toUpperCase();
  if (upper.length === 2 && STATE_CODES.has(upper)) return { code: upper, isCode: true, to: word.to };
  for (let last = Math.min(n + 2, words.length - 1); last >= n; last -= 1) {
    const name = phrase(text, words, n, last);
    const code = name === null ? undefined : STATES[name.toLowerCase()];
    if (!code || !Object.hasOwn(STATES, name!.toLowerCase())) continue;
    // In "New York, NY", "Kansas City" and "Washington DC" the words name a city, which is read together with its
    // state.
    if (longestCity(text, words, n) > last || isBeforeState(text, words, last)) return null;
    return { code, isCode: false, to: words[last]!.to };
  }
  return null;
}

function isBeforeState(text: string, words: readonly Word[], last: number): boolean {
  const next = words[last + 1];
  if (!next || !CITIES.has(words[last]!.text.toLowerCase())) return Boolean(next && /^(?:DC|NY|City)$/.test(next.text));
  return STATE_CODES.has(next.text.toUpperCase()) && BEFORE_STATE.test(text.slice(words[last]!.to, next.from));
}

/**
 * Joins words to one text.
 * @returns null if the text between two of the words shows that they do not belong together
 */
function phrase(text: string, words: readonly Word[], first: number, last: number): string | null {
  if (first < 0) return null;
  for (let n = first; n < last; n += 1)
    if (!BETWEEN_WORDS.test(text.slice(words[n]!.to, words[n + 1]!.from))) return null;
  return text.slice(words[first]!.from, words[last]!.to).replace(/\s+/g, ' ');
}

/** @returns index of the last word of the longest known city that begins with word `n`; -1 if there is none */
function longestCity(text: string, words: readonly Word[], n: number): number {
  for (let last = Math.min(n + MAX_WORDS - 1, words.length - 1); last >= n; last -= 1) {
    const name = phrase(text, words, n, last)?.toLowerCase();
    if (name && CITIES.has(name)) return last;
  }
  return -1;
}

/**
 * The known city that ends before a state.
 * @returns null if there is none
 */
function knownCity(
  text: string,
  words: readonly Word[],
  last: number,
  done: number,
  code: string,
): Omit<Place, 'to' | 'isPlain'> | null {
  for (let first = Math.max(0, last - MAX_WORDS + 1); first <= last; first += 1) {
    if (words[first]!.from < done) continue;
    const name = phrase(text, words, first, last);
    const named = name && Object.hasOwn(PLACE_NAMES, name.toLowerCase()) ? PLACE_NAMES[name.toLowerCase()] : undefined;
    if (name && (named || CITIES.has(name.toLowerCase())))
      return { from: words[first]!.from, place: { city: named?.city ?? cityName(name), region: code } };
  }
  return null;
}

/**
 * The capitalised words before ", ST", read as the name of a city that is in no list.
 * @returns null if there are none
 */
function writtenCity(
  text: string,
  words: readonly Word[],
  last: number,
  done: number,
): { from: number; city: string; isWhole: boolean } | null {
  let first = last;
  if (!isName(words[last]!.text)) return null;
  while (
    first > 0 &&
    last - first < MAX_WORDS - 1 &&
    words[first - 1]!.from >= done &&
    isName(words[first - 1]!.text) &&
    BETWEEN_WORDS.test(text.slice(words[first - 1]!.to, words[first]!.from))
  )
    first -= 1;
  const before = text.slice(0, words[first]!.from).slice(-3);
  const isWhole = /(?:^|[\n|;:(/,\-\t•])\s{0,9}$/.test(before);
  if (!isWhole) first = last;
  return { from: words[first]!.from, city: cityName(text.slice(words[first]!.from, words[last]!.to)), isWhole };
}

const isName = (word: string): boolean => /^\p{Lu}/u.test(word) && word.length > 1 && !NO_CITY.test(word);

/** A known city without a state. */
function cityAt(text: string, words: readonly Word[], n: number, isLabelled: boolean): Place | null {
  if (!isLabelled && !/^\p{Lu}/u.test(words[n]!.text)) return null;
  const last = longestCity(text, words, n);
  const named = namedPlace(text, words, n);
  if (last < 0) return named;
  const next = words[last + 1];
  if (next && BEFORE_STATE.test(text.slice(words[last]!.to, next.from)) && stateOf(text, words, last + 1)) return null;
  if (named) return named;
  const name = text.slice(words[n]!.from, words[last]!.to);
  const isAlone = isLabelled && text.trim().length === name.length;
  if (WORD_CITIES.has(name.toLowerCase()) && !isAlone) return null;
  return { from: words[n]!.from, to: words[last]!.to, place: { city: cityName(name) }, isPlain: false };
}

function namedPlace(text: string, words: readonly Word[], n: number): Place | null {
  for (let last = Math.min(n + 2, words.length - 1); last >= n; last -= 1) {
    const name = phrase(text, words, n, last)?.toLowerCase();
    if (name && Object.hasOwn(PLACE_NAMES, name))
      return { from: words[n]!.from, to: words[last]!.to, place: PLACE_NAMES[name]!, isPlain: true };
  }
  return null;
}

/**
 * Adds the state of the following place to a city without one: in "Dallas/Plano, TX" both cities are in Texas, if Texas
 * has a city of that name.
 */
function withRegions(text: string, places: Place[]): Place[] {
  for (let n = places.length - 2; n >= 0; n -= 1) {
    const [one, next] = [places[n]!, places[n + 1]!];
    const { city, region } = one.place;
    if (region || !city || !next.place.region) continue;
    const isList = /^[ \t]*(?:[/,&|;]|\bor\b|\band\b)+[ \t]*$/i.test(text.slice(one.to, next.from));
    if (isList && CITIES.get(city.toLowerCase())?.includes(next.place.region))
      places[n] = { ...one, place: { city, region: next.place.region }, isPlain: true };
  }
  return places;
}

const SMALL = new Set(['of', 'the']);

/** Normal spelling of a city: "Hartford" for "HARTFORD" and "hartford". */
export function cityName(name: string): string {
  const plain = name.replace(/\s+/g, ' ').trim();
  if (Object.hasOwn(PLACE_NAMES, plain.toLowerCase())) return PLACE_NAMES[plain.toLowerCase()]!.city;
  if (plain !== plain.toUpperCase() && plain !== plain.toLowerCase()) return plain;
  return plain
    .toLowerCase()
    .split(' ')
    .map((word, n) =>
      n > 0 && SMALL.has(word) ? word : word.replace(/(^|['-])\p{L}/gu, (letter) => letter.toUpperCase()),
    )
    .join(' ');
}
