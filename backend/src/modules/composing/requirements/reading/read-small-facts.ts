import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

const YEARS =
  /\b(\d{1,2})(?:\.\d)?[ ]?(\+|plus\b)?(?:[ ]?(?:-|to)[ ]?(\d{1,2}))?[ ]?(\+|plus\b)?[ ]?(?:years?|yrs?|yr)\b[ ]?(\+)?/i;
const BARE_YEARS = /^(\d{1,2})[ ]?(\+|plus\b)?(?:[ ]?(?:-|to)[ ]?(\d{1,2}))?[ ]?(\+)?/i;
const MINIMUM_WORDS = /\b(?:minimum|min|at least|over|more than)(?: of)?[ .:]{0,2}$/i;
const NO_NAME =
  /^(?:confidential|direct(?: client)?|undisclosed|tbd|n\/?a|hidden|various|fortune \d+.{0,30}|will (?:be )?(?:share|disclose|discuss).{0,40}|our client|end client|na|private|not disclosed|later|state(?: client)?|banking|federal|insurance|retail|healthcare|.{0,30}\b(?:domain|industry|sector))$/i;

/** Whether the client field says that the client is undisclosed, or only what kind of company the client is. */
export const isNoClientName = (text: string): boolean => NO_NAME.test(text);

/**
 * Reads the client's name.
 * @returns null if no label names the client, or the client is undisclosed
 */
export function readClient(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'client')) {
    const name = value.text.split(/\s[-|]\s|\t|;|\(/)[0]!.trim();
    if (name === '' || name.length > 80 || isNoClientName(name)) continue;
    return {
      value: name,
      confidence: form === 'colon' || form === 'cell' ? 'sure' : 'check',
      from: value.from,
      to: value.from + name.length,
    };
  }
  return null;
}

/** Reads the years of experience, such as "8+". */
export function readExperience(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'experience')) {
    const match = YEARS.exec(value.text) ?? BARE_YEARS.exec(value.text);
    if (match) return yearsOf(match, value.text, value.from, form !== 'dash' && match.index < 30);
  }
  for (const { value } of labelled(requirement, 'title', 'subject')) {
    const match = YEARS.exec(value.text);
    if (match) return yearsOf(match, value.text, value.from, false);
  }
  for (const match of requirement.text.matchAll(new RegExp(YEARS, 'gi'))) {
    const end = match.index + match[0].length;
    if (/^[ ]?(?:of |'|in |\w+ )?(?:[\w/+#.-]+ ){0,4}exp/i.test(requirement.text.slice(end, end + 60)))
      return yearsOf(match, requirement.text, 0, false);
  }
  return null;
}

function yearsOf(match: RegExpExecArray, text: string, by: number, isSure: boolean): Found<string> {
  const [all, low, plus, high, plusToo, plusAfter] = match;
  const isLeast = !high && MINIMUM_WORDS.test(text.slice(Math.max(0, match.index - 16), match.index));
  const value = `${Number(low)}${high ? `-${Number(high)}` : ''}${(plus ?? plusToo ?? plusAfter) || isLeast ? '+' : ''}`;
  return {
    value,
    confidence: isSure ? 'sure' : 'check',
    from: by + match.index,
    to: by + match.index + all.trimEnd().length,
  };
}

const INTERVIEW =
  /\b(?:(?:phone|video|skype|zoom|teams|webex|telephonic|in[- ]person|face to face|f2f|onsite)(?: ?(?:\/|&|and|then|or|,|followed by|\+) ?(?:phone|video|skype|zoom|teams|webex|telephonic|in[- ]person|face to face|f2f|onsite)){0,3}) interviews?\b/i;

/** Reads how candidates are interviewed, as written. */
export function readInterview(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'interview')) {
    const words = firstPart(value.text);
    if (words)
      return {
        value: words,
        confidence: form === 'dash' ? 'check' : 'sure',
        from: value.from,
        to: value.from + words.length,
      };
  }
  const match = INTERVIEW.exec(requirement.free);
  return match && { value: match[0], confidence: 'check', from: match.index, to: match.index + match[0].length };
}

const ID = /^#?[ ]?([A-Z0-9][\w./-]{2,30})/i;
const ID_IN_TEXT =
  /(?:\b(?:job|req|requisition|jo|position)[ ]?(?:id|#|no\.?|number)[ :#-]{0,3}|[([]#[ ]?)([A-Z]{0,6}-?\d[\w-]{2,20})/i;

/** Reads the number of the requirement. */
export function readJobId(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'jobId')) {
    const match = ID.exec(value.text);
    if (!match || !/\d/.test(match[1]!)) continue;
    const from = value.from + match[0].length - match[1]!.length;
    const id = match[1]!.replace(/[./-]{1,9}$/, '');
    return {
      value: id,
      confidence: form === 'colon' || form === 'cell' ? 'sure' : 'check',
      from,
      to: from + id.length,
    };
  }
  const match = ID_IN_TEXT.exec(requirement.text);
  if (!match) return null;
  const to = match.index + match[0].length;
  return { value: match[1]!, confidence: 'check', from: to - match[1]!.length, to };
}

const firstPart = (text: string): string =>
  text
    .split(/\s\|\s|\t|;/)[0]!
    .slice(0, 120)
    .trim()
    .replace(/[.,]{1,9}$/, '');
