import { skillName } from '../../../shared/skills/find-skills.js';
import { BUSINESS_WORDS, LEGAL_FORMS, ORDINARY_WORDS } from './company-words.js';
import type { Job } from './job.js';
import { findPlaces } from './reading/places.js';
import { isNoClientName } from './reading/read-small-facts.js';

/** A job without its client's name, and the names that were replaced. */
export interface JobWithoutClient {
  job: Job;
  /**
   * The client's names, URLs and email addresses that were replaced, as written and without duplicates, in the order of
   * the job's fields.
   */
  hiddenNames: string[];
}

const LETTER = String.raw`[\p{L}\p{N}]`;
const NOT_WITHIN = `(?<!${LETTER})`;
const NOT_BEFORE = `(?!${LETTER})`;
/**
 * Characters between two words of a name. They include no letters and no sign for "and", so that each text matches in
 * only one way.
 */
const BETWEEN = String.raw`[^\p{L}\p{N}&+]{0,3}`;
const AND = '(?:&|\\+|[aA][nN][dD]|[nN])';
const LEGAL_FORM = String.raw`(?:[,\s]{1,3}(?:${LEGAL_FORMS.map((form) => anyCase(form).replaceAll('.', '\\.?')).join('|')})${NOT_BEFORE}\.?){0,2}`;
const LEGAL_END = new RegExp(`${LEGAL_FORM}$`, 'u');
/**
 * Words before a name that are replaced together with it. After a comma, the name is an apposition: "our client, Acme".
 */
const BEFORE_NAME = String.raw`(?:(?:[tT]he|[oO]ur|[mM]y|[aA]n?) )?(?:(?:(?:[dD]irect|[eE]nd)[ -])?(?:[cC]lient|[cC]ustomer)(?<comma>,)? )?`;
const HIRING_BEFORE = '(?<=\\b(?:[aA]t|[jJ]oin|[jJ]oining|[cC]lient,?|[cC]ustomer,?) )';
const HIRING_AFTER = String.raw`(?= (?:is|are) (?:looking|seeking|hiring|searching|recruiting|expanding|growing|an? (?:[\w-]{1,20} ){0,4}(?:company|firm|bank|insurer|provider|leader|retailer))\b| (?:seeks|needs|wants|hires)\b|['\u2019]s (?:team|offices?|campus|headquarters|hq|site|staff|employees|customers)\b)`;
/** URLs, host names and email addresses. */
const ADDRESS =
  /(?<![\p{L}\p{N}@])(?:https?:\/\/)?(?:[\w.+-]{1,64}@)?(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,12}(?![\p{L}\p{N}])(?:\/\S*)?/giu;
/**
 * Minimum number of letters of a single word that may stand for the whole name; shorter words have too many other
 * meanings.
 */
const MIN_LETTERS = 5;

/**
 * Replaces the client's name by "our client" in all texts of a post, if the job hides its client. Finds the name in any
 * case, with and without its legal form, and by its first word if that word is unambiguous. A name that is also a
 * skill, a place or an ordinary word ("Oracle", "Target") is replaced only if the text around it speaks of an employer.
 * Places, and skills of the vocabulary, are not changed. Takes time linear in the length of the texts.
 */
export function withoutClient(job: Job): JobWithoutClient {
  const names = job.isClientHidden ? namesOf(job.hiringOrganization ?? '') : [];
  if (names.length === 0) return { job, hiddenNames: [] };
  const texts = [job.title, job.description, job.interview].join('\n');
  const forms = names.flatMap((name) => formsOf(name, texts));
  const hosts = names.flatMap(hostsOf);
  const found = new Set<string>();
  const hide = (text: string): string => hidden(text.normalize('NFC'), forms, hosts, found);
  const hideLine = (text: string | undefined): string | undefined => text && hide(text);
  const hideSkill = (skill: string): string => (skillName(skill) ? skill : hide(skill));
  const withoutName: Job = {
    ...job,
    title: hideLine(job.title),
    workModeNote: hideLine(job.workModeNote),
    rateNote: hideLine(job.rateNote),
    duration: hideLine(job.duration),
    startDate: hideLine(job.startDate),
    workAuthorization: job.workAuthorization.map(hide),
    experienceYears: hideLine(job.experienceYears),
    skills: { required: job.skills.required.map(hideSkill), preferred: job.skills.preferred.map(hideSkill) },
    interview: hideLine(job.interview),
    validThrough: hideLine(job.validThrough),
    jobId: hideLine(job.jobId),
    description: hideLine(job.description),
  };
  return { job: withoutName, hiddenNames: [...found] };
}

/** The words of each name in the client field: "Great Lakes Bank (GLB)" contains two names. */
function namesOf(line: string): string[][] {
  return line
    .normalize('NFC')
    .split(/[;|()]|\s\/\s/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && !isNoClientName(name))
    .map((name) => wordsOf(withoutLegalForm(name.replace(/^the\s+/i, ''))))
    .filter((words) => words.join('').length > 1);
}

const withoutLegalForm = (name: string): string => name.replace(LEGAL_END, '');

/** The words of a name, with "&" for any form of "and" between two of them. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  for (const [word] of name.matchAll(/[\p{L}\p{N}]+|[&+]/gu)) {
    const isAnd = /^(?:[&+]|and)$/i.test(word);
    if (!isAnd) words.push(word);
    else if (words.length > 0 && words.at(-1) !== '&') words.push('&');
  }
  return words.at(-1) === '&' ? words.slice(0, -1) : words;
}

/** Patterns for the forms of a name, longest first. */
function formsOf(words: readonly string[], texts: string): RegExp[] {
  const whole = sequence(words, isShort(words) ? asWritten : anyCase);
  const short = withoutBusinessWords(words);
  const forms = isAmbiguous(words)
    ? [
        pattern(whole, LEGAL_FORM.replace('{0,2}', '{1,2}')),
        `${HIRING_BEFORE}${pattern(whole)}`,
        pattern(whole, HIRING_AFTER),
      ]
    : [pattern(whole, LEGAL_FORM)];
  if (short.length > 1 && short.length < words.length) forms.push(pattern(sequence(short, asWritten)));
  if (words.length > 1 && isDistinctive(words[0]!, texts)) forms.push(pattern(asWritten(words[0]!)));
  return forms.map((form) => new RegExp(form, 'gu'));
}

const pattern = (name: string, after = ''): string =>
  `${NOT_WITHIN}${BEFORE_NAME}(?<name>${name}${NOT_BEFORE}${after})(?<end>,)?`;

const sequence = (words: readonly string[], formOf: (word: string) => string): string =>
  words.map((word) => (word === '&' ? AND : formOf(word))).join(BETWEEN);

/** Short names such as "IBM" and "Gap" are matched only as written or in capitals, never as "ibm" or "gap". */
const isShort = (words: readonly string[]): boolean => words.join('').length <= 3;

function isAmbiguous(words: readonly string[]): boolean {
  const name = words.join(' ');
  return skillName(name) !== null || (words.length === 1 && (isOrdinary(name) || isPlace(name)));
}

function isDistinctive(word: string, texts: string): boolean {
  const isKnown = word === '&' || skillName(word) !== null || isOrdinary(word) || isPlace(word);
  if (isKnown || !new RegExp(String.raw`^\p{L}{${MIN_LETTERS},}$`, 'u').test(word)) return false;
  return !new RegExp(`${NOT_WITHIN}${word.toLowerCase()}${NOT_BEFORE}`, 'u').test(texts);
}

const isOrdinary = (word: string): boolean => {
  const lower = word.toLowerCase();
  return ORDINARY_WORDS.has(lower) || BUSINESS_WORDS.has(lower);
};
const isPlace = (word: string): boolean => findPlaces(word, true).length > 0;

/** A name without its last words for the kind of organization: "Great Lakes Bank" becomes "Great Lakes". */
function withoutBusinessWords(words: readonly string[]): readonly string[] {
  let length = words.length;
  while (length > 0 && (words[length - 1] === '&' || BUSINESS_WORDS.has(words[length - 1]!.toLowerCase()))) length -= 1;
  return words.slice(0, length);
}

/** Labels that occur in host names of a company with this name. */
function hostsOf(words: readonly string[]): string[] {
  const compact = (parts: readonly string[]): string =>
    parts
      .filter((part) => part !== '&')
      .join('')
      .toLowerCase();
  const first = words[0]!.length >= MIN_LETTERS && !isOrdinary(words[0]!) ? [words[0]!] : [];
  return [words, withoutBusinessWords(words), first].map(compact).filter((host) => host !== '');
}

const isHostOf = (address: string, hosts: readonly string[]): boolean =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/')[0]!
    .split(/[.@]/)
    .some((label) =>
      hosts.some((host) => label === host || (host.length >= 8 && label.replaceAll('-', '').includes(host))),
    );

function hidden(given: string, forms: readonly RegExp[], hosts: readonly string[], found: Set<string>): string {
  let text = given.replace(ADDRESS, (address, at: number) => {
    if (!isHostOf(address, hosts)) return address;
    found.add(address);
    return ourClient(given, at);
  });
  for (const form of forms) {
    const before = text;
    text = before.replace(form, (match: string, ...rest: unknown[]) => {
      const { name, comma, end = '' } = rest.at(-1) as { name: string; comma?: string; end?: string };
      const at = rest.at(-3) as number;
      // The dot of "Inc." may also end the sentence.
      const isLast = /^(?:\s{0,3}$|\s{1,3}\p{Lu})/u.test(before.slice(at + match.length, at + match.length + 4));
      const stop = match.endsWith('.') && isLast ? '.' : '';
      found.add(name.replace(/\s+/g, ' '));
      return ourClient(before, at) + stop + (comma ? '' : end);
    });
  }
  return text;
}

/** "Our client" at the start of a line or sentence, else "our client". */
function ourClient(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 8), at);
  const bare = before.replace(/[\s\u2022*\u2013-]{1,8}$/u, '');
  const isFirst = bare === '' && at <= 8;
  const isStart = isFirst || before.slice(bare.length).includes('\n') || (before !== bare && /[.!?]["')]?$/.test(bare));
  return isStart ? 'Our client' : 'our client';
}

/** A pattern for a word in any case, with and without accents. */
function anyCase(word: string): string {
  return Array.from(word, (letter) => {
    const forms = [letter, letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFD')[0]!];
    const each = [...new Set([...forms, forms[3]!.toLowerCase(), forms[3]!.toUpperCase()])];
    const single = each.filter((form) => Array.from(form).length === 1);
    return single.length > 1 ? `[${single.join('')}]` : single[0]!;
  }).join('');
}

/** A pattern for a word as given, with a capital first letter, and in capitals. */
function asWritten(word: string): string {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return `(?:${[...new Set([capital, word.toUpperCase()])].join('|')})`;
}
