import * as chrono from 'chrono-node';
import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

const SOON =
  /^(?:asap|immediate(?:ly)?|as soon as possible|right away|soon|now|tbd|flexible|within \d|next|early|mid|end of|beginning|first week|last week|q[1-4]|in \d|\d{1,2}(?:-\d{1,2})? weeks?)/i;
const START_IN_TEXT =
  /\b(?:start(?:s|ing)?|start date|begins?|beginning|joining)\b(?: date)?(?: is| will be)?(?: on| by| in| from| of)?[ :-]{1,3}/gi;
const DUE_IN_TEXT =
  /\b(?:profiles?|resumes?|submissions?|candidates?|submit|submittals?|reply|respond|send)\b[^.\n]{0,40}?\b(?:by|before|no later than|due(?: by| on)?)[ :]{1,2}/gi;
const MAX_DATE_LENGTH = 60;

/** Reads the start date, as written. */
export function readStart(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'start')) {
    const words = firstPart(value.text);
    if (words === '') continue;
    const isDate = SOON.test(words) || dateIn(words) !== null;
    return {
      value: words,
      confidence: isDate && form !== 'dash' ? 'sure' : 'check',
      from: value.from,
      to: value.from + words.length,
    };
  }
  return inText(requirement.head, START_IN_TEXT, true) ?? null;
}

/** Reads the deadline for profiles, as written. */
export function readDeadline(requirement: RequirementText): Found<string> | null {
  for (const { value, form } of labelled(requirement, 'deadline')) {
    const words = firstPart(value.text);
    if (words === '') continue;
    const confidence = dateIn(words) && form !== 'dash' ? 'sure' : 'check';
    return { value: words, confidence, from: value.from, to: value.from + words.length };
  }
  return inText(requirement.text, DUE_IN_TEXT, false);
}

function inText(text: string, pattern: RegExp, takesSoon: boolean): Found<string> | null {
  for (const { index, 0: lead } of text.matchAll(pattern)) {
    const from = index + lead.length;
    const [after] = text.slice(from, from + MAX_DATE_LENGTH).split(/[\n|;]/);
    const soon = takesSoon ? /^(?:asap|immediately|immediate)\b/i.exec(after!) : null;
    const date = soon ? { index: 0, text: soon[0] } : dateIn(after!);
    if (date && date.index <= 4)
      return {
        value: date.text,
        confidence: 'check',
        from: from + date.index,
        to: from + date.index + date.text.length,
      };
  }
  return null;
}

/** The first date in a short text, in any form that chrono reads: "next Monday", "12/1", "Jan 5th". */
function dateIn(text: string): { index: number; text: string } | null {
  const [found] = chrono.en.parse(text.slice(0, MAX_DATE_LENGTH));
  return found ? { index: found.index, text: found.text } : null;
}

const firstPart = (text: string): string =>
  text
    .split(/\s\|\s|\t|;/)[0]!
    .slice(0, MAX_DATE_LENGTH)
    .trim()
    .replace(/[.,]{1,9}$/, '');
