import type { BodyText } from './document-text.js';
import { type CheckItem, checkItemOf, type CheckLevel, type CheckPlace, placeIn } from './check-item.js';
import type { CheckedMessage } from './checked-message.js';
import { type FoundPhrase, PhraseFinder } from './phrases.js';
import { AGE, CITIZENSHIP, FILTER_WORDS, NEGATIONS, PROTECTED_TRAIT } from './word-lists.js';

interface WordCheck {
  code: string;
  level: CheckLevel;
  find: (text: string) => FoundPhrase[];
  text: string;
  passed: string;
}

const byPhrases = (...lists: ConstructorParameters<typeof PhraseFinder>) => {
  const finder = new PhraseFinder(...lists);
  return (text: string): FoundPhrase[] => finder.find(text);
};

/** Social security numbers. The SSA assigns no area 000, 666 or 900 to 999. */
const SSN = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g;
const BIRTH =
  /\b(?:dob|d\.o\.b|date of birth|birth date|born on)\b[^\S\n]{0,3}[:=-]?[^\S\n]{0,3}(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}[ /.-][A-Z][a-z]{2,8}[ /.-]\d{2,4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})/gi;
const PASSPORT =
  /\bpassport(?: no| number| #|#)?\.?[^\S\n]{0,3}[:=#-]?[^\S\n]{0,3}(?=[A-Z0-9]{0,8}\d)[A-Z0-9]{7,9}\b/gi;
const SSN_NAMED = /\b(?:ssn|social security(?: number)?)\b[^\S\n]{0,3}[:=#-]?[^\S\n]{0,3}\d{3}[- ]?\d{2}[- ]?\d{4}\b/gi;

const identifiers = (text: string): FoundPhrase[] =>
  [SSN_NAMED, SSN, BIRTH, PASSPORT]
    .flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
    )
    .sort((a, b) => a.from - b.from || b.to - a.to)
    // A number with a label, such as "SSN 123-45-6789", matches with and without the label: keep the longer match.
    .filter((place, i, all) => i === 0 || place.from >= all[i - 1]!.to);

const CHECKS: readonly WordCheck[] = [
  {
    code: 'identifier',
    level: 'warning',
    find: identifiers,
    text: 'This looks like a Social Security number, a date of birth or a passport number.',
    passed: 'No personal numbers were found.',
  },
  {
    code: 'citizenship',
    level: 'hint',
    find: byPhrases(CITIZENSHIP, NEGATIONS),
    text: 'Naming citizenship or visa types can be discrimination under US law unless a law or government contract requires it (8 U.S.C. 1324b).',
    passed: 'No citizenship or visa type is named as a condition.',
  },
  {
    code: 'age',
    level: 'hint',
    find: byPhrases(AGE, NEGATIONS),
    text: 'Naming an age, or words that stand for one, is worth a look (29 U.S.C. 623(e)).',
    passed: 'No age is named.',
  },
  {
    code: 'protected_trait',
    level: 'hint',
    find: byPhrases(PROTECTED_TRAIT, NEGATIONS),
    text: 'Naming sex, religion or national origin is worth a look (42 U.S.C. 2000e-3(b)).',
    passed: 'No sex, religion or national origin is named.',
  },
  {
    code: 'filter_words',
    level: 'hint',
    find: (text) => [...FILTERED(text), ...SHOUTS(text)].sort((a, b) => a.from - b.from),
    text: 'Mail filters dislike these words.',
    passed: 'No words that filters dislike.',
  },
];

const FILTERED = byPhrases(FILTER_WORDS);
const URGENT = /\b(?:urgent|immediate|asap|hot)\b[^\n!]{0,30}!{2,}/gi;
const SHOUTS = (text: string): FoundPhrase[] =>
  [...text.matchAll(URGENT)].map(({ 0: found, index }) => ({ from: index, to: index + found.length }));

const RATE =
  /\$\s?\d|\d\s?(?:\/|per )\s?(?:hr|hour|h\b|year|yr|annum)|\b(?:rate|salary|compensation|pay range|pay)\b[^\n.;]{0,20}\d|\b\d{2,3}\s?k\b|\b(?:usd|us\$)\s?\d/i;

/**
 * Check items about wording: conditions that discrimination law restricts, personal numbers, words that spam filters
 * dislike, and a missing rate.
 */
export function wordChecks({ subject, preheader, emailType }: CheckedMessage, { text }: BodyText): CheckItem[] {
  const parts = [
    ['subject', subject],
    ['preheader', preheader],
    ['content', text],
  ] as const;
  const items = CHECKS.map(({ code, level, find, text: sentence, passed }) => {
    const found = parts.flatMap(([part, given]) =>
      find(given).map((place) => ({ word: given.slice(place.from, place.to), place: placeIn(part, place) })),
    );
    const first: CheckPlace | undefined = found[0]?.place;
    return checkItemOf(
      code,
      level,
      first ? { text: sentence, words: found.map(({ word }) => word), where: first } : null,
      passed,
    );
  });
  if (emailType !== 'job-post' || text.trim() === '') return items;
  const isRated = parts.some(([, given]) => RATE.test(given));
  return [
    ...items,
    checkItemOf(
      'no_rate',
      'hint',
      isRated ? null : { text: 'No rate or pay range is named. Several states ask for one.' },
      'A rate or pay range is named.',
    ),
  ];
}
