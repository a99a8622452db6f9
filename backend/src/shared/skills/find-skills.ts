import { type PlacedWord, WordTrie } from '../text/word-trie.js';
import { SKILL_LINES } from './vocabulary/vocabulary.js';

/** A skill that a text mentions, under its name in the vocabulary. */
export interface FoundSkill {
  name: string;
  from: number;
  to: number;
}

interface Skill {
  name: string;
  /** True if the name is also a common word, such as "Go". */
  isWord: boolean;
}

const WORD = /\.?[\p{L}\p{N}]+(?:\+\+|#)?/gu;
/** Characters that may stand between the words of a skill. */
const WITHIN = /^[ ./&-]{0,3}$/;
/** Signs and words that may stand between the items of a list. */
const LIST_SIGN = /[,/;|•&+()\n]|\b(?:or|and)\b/i;
const IS_SKILL_WORD =
  /^[ ]?(?:developer|engineer|programm(?:er|ing)|language|lang|scripting|shiny|backend|services?)\b/i;

/** The vocabulary. If two skills have the same name or alias, it stands for the first one. */
const skills = new WordTrie<Skill>(WITHIN, withoutVersion);
for (const line of SKILL_LINES.split('\n')) {
  const [first, ...aliases] = line.split('|');
  const name = first!.replace(/^\?/, '');
  for (const alias of [first!, ...aliases])
    skills.add(textsOf(alias.replace(/^\?/, '')), { name, isWord: alias.startsWith('?') });
}

function wordsOf(text: string): PlacedWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    // The leading dot of ".NET" is part of the word. Any other dot, as in "Node.js", separates two words.
    const isDot = word.startsWith('.') && !/^\.net$/i.test(word);
    const written = isDot ? word.slice(1) : word;
    return { text: written.toLowerCase(), from: index + (isDot ? 1 : 0), to: index + word.length };
  });
}

function textsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.text);
}

/**
 * Name of a skill in the vocabulary, given its name or an alias.
 * @returns null for an unknown skill
 */
export const skillName = (alias: string): string | null => skills.get(textsOf(alias))?.name ?? null;

/**
 * Finds the skills that a text mentions, in the order of the text. If several names begin at the same word, the longest
 * one counts. Names that are also common words, such as "Go" and "R", count only if they have a capital letter and
 * either stand in a list beside another skill or precede a word such as "programming". Takes linear time.
 */
export function findSkills(text: string): FoundSkill[] {
  const words = wordsOf(text);
  const found: (FoundSkill & { isWord: boolean })[] = [];
  for (let n = 0; n < words.length; n += 1) {
    const match = skills.longest(text, words, n);
    if (!match) continue;
    const { last, value } = match;
    found.push({ ...value, from: words[n]!.from, to: words[last]!.to });
    n = last;
  }
  return found
    .filter((one, n) => !one.isWord || hasEvidence(text, one, found[n - 1], found[n + 1]))
    .map(({ name, from, to }) => ({ name, from, to }));
}

/** Removes a version number: "angular12" becomes "angular". Leaves "k8s", "s3" and "h1" unchanged. */
function withoutVersion(word: string): string {
  return /^\p{L}{4,}\d{1,2}$/u.test(word) ? word.replace(/\d{1,2}$/, '') : word;
}

/**
 * Whether a common word is meant as a skill: it has a capital letter and either stands in a list beside another skill
 * or precedes a word such as "programming".
 */
function hasEvidence(
  text: string,
  one: FoundSkill,
  before: FoundSkill | undefined,
  after: FoundSkill | undefined,
): boolean {
  if (!/^\p{Lu}/u.test(text.slice(one.from, one.to))) return false;
  if (IS_SKILL_WORD.test(text.slice(one.to, one.to + 20))) return true;
  const isNext = (left: FoundSkill, right: FoundSkill): boolean => {
    const gap = text.slice(left.to, right.from);
    return gap.length <= 12 && LIST_SIGN.test(gap);
  };
  return (before !== undefined && isNext(before, one)) || (after !== undefined && isNext(one, after));
}
