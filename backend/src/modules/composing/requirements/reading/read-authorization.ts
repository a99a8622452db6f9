import type { Confidence } from '../requirement.js';
import type { Found } from './found.js';
import { linesOf, trimmed } from './flat-text.js';
import { sentencesOf } from './closing-parts.js';
import { labelled, type RequirementText } from './requirement-text.js';

const STATUS = String.raw`us ?c(?:itizens?)?|u\.?s\.? citizens?(?:hip)?|american citizens?|citizens?|green ?cards?(?: holders?)?|gc(?:[ -]?ead)?s?|permanent residents?|h-?1(?:-?b)?s?(?: transfers?)?|h-?4(?:[ -]?ead)?|l-?2(?:[ -]?s)?(?:[ -]?ead)?|ead(?: holders?)?|tn(?: visas?)?|opt(?:[ -]ead)?|cpt|stem(?: opt)?|e-?3|j-?2(?: ead)?|asylum(?: ead)?|any (?:valid )?(?:work )?visas?|all visas?|any work (?:authorization|permit)s?`;
const ONE_STATUS = new RegExp(`^(?:${STATUS})$`, 'i');
const WITH_STATUS = new RegExp(
  `\\b(?:${STATUS})\\b|\\b(?:any|all|visa|sponsor|author|citizen|open|no |only|independent)`,
  'i',
);
/** Start of a statement about work authorisation. */
const IN_TEXT = new RegExp(
  String.raw`\b(?:us ?citizens?(?:hip)?|usc|u\.s\. citizens?(?:hip)?|green ?cards?|gc(?:[ -]?ead)?|h-?1-?b|h4[ -]?ead|l2[ -]?s?|opt|cpt|any (?:valid )?(?:work )?visas?|all visas?|visa (?:independent|status)|no visas?|tn visas?|no sponsor(?:ship)?|sponsor(?:ship)?|work authori[sz]ation|authori[sz]ed to work|ead)\b`,
  'i',
);
const MAX_TEXT_LENGTH = 200;
const MAX_FINDINGS = 5;

/** Reads the work authorisation exactly as written, never restricted further. */
export function readAuthorization(requirement: RequirementText): Found<string>[] {
  for (const { value, form, from, to } of labelled(requirement, 'authorization')) {
    const label = requirement.text.slice(from, to);
    const isStatus = WITH_STATUS.test(value.text);
    if (/^\W*status/i.test(label) && !isStatus) continue;
    const words = value.text
      .split(/\s\|\s|\t/)[0]!
      .slice(0, MAX_TEXT_LENGTH)
      .trim();
    if (words === '' || /^(?:n\/?a|none|tbd|-)$/i.test(words)) continue;
    return partsOf(words, value.from, isStatus && form !== 'dash' ? 'sure' : 'check');
  }
  const found: Found<string>[] = [];
  for (const line of linesOf(requirement.free)) {
    if (!IN_TEXT.test(line.text)) continue;
    for (const sentence of line.text.length > 120 ? sentencesOf(line) : [line]) {
      const words = IN_TEXT.test(sentence.text) ? clauseIn(requirement.free, sentence.from, sentence.text) : null;
      if (words) found.push(words);
      if (found.length === MAX_FINDINGS) return found;
    }
  }
  return found;
}

/** Splits a list of statuses. Any other text stays whole: "No H1B, OPT or CPT" must not become "OPT". */
function partsOf(words: string, from: number, confidence: Confidence): Found<string>[] {
  // Split only if every part is a status.
  if (!words.split(/[,/]/).every((part) => ONE_STATUS.test(part.trim()))) {
    const value = words.replace(/[\s.;]{1,9}$/, '');
    return [{ value, confidence, from, to: from + value.length }];
  }
  const found: Found<string>[] = [];
  let at = 0;
  for (const part of words.split(/[,/]/)) {
    const value = part.trim();
    const start = from + at + part.indexOf(value);
    if (value !== '') found.push({ value, confidence, from: start, to: start + value.length });
    at += part.length + 1;
  }
  return found.slice(0, 10);
}

/**
 * The first clause of a sentence that is about work authorisation.
 * @returns null if there is none, or if it is too long
 */
function clauseIn(text: string, from: number, sentence: string): Found<string> | null {
  let start = 0;
  for (const part of sentence.split(
    /(\s{0,9}(?:\||;|\t|•|\/\/|\s-\s|[()[\]])\s{0,9}|,\s{1,9}(?=(?:any visa|all visa|no h-?1|usc|us citizen|gc|h-?1|must|only)\b))/i,
  )) {
    if (IN_TEXT.test(part)) {
      const words = trimmed(text, { from: from + start, to: from + start + part.length });
      const value = /,\s+(?:\$|\d|remote|hybrid|onsite|c2c|w2)/i.test(words.text) ? partOfList(words.text) : words.text;
      const at = words.from + words.text.indexOf(value);
      const clean = value.replace(/[\s.,:]{1,9}$/, '');
      if (clean.length <= MAX_TEXT_LENGTH)
        return { value: clean, confidence: 'check', from: at, to: at + clean.length };
    }
    start += part.length;
  }
  return null;
}

/** The part of a comma-separated list that is about work authorisation. */
const partOfList = (words: string): string => words.split(/,\s+/).find((one) => IN_TEXT.test(one)) ?? words;
