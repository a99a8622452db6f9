import type { Confidence } from '../requirement.js';
import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  six: 6,
  nine: 9,
  twelve: 12,
  eighteen: 18,
};
const LENGTH =
  /\b(one|two|three|six|nine|twelve|eighteen|\d{1,2})(?: ?\(\d{1,2}\))?[ ]?(\+|plus\b)?(?:[ ]?(?:-|to)[ ]?(\d{1,2}))?[ ]?(\+|plus\b)?[ -]?(months?|mos?|mths?|mnths?|years?|yrs?|weeks?|wks?)\b[ ]?(\+|plus\b)?/gi;
const OPEN = /\b(?:long[ -]?term|multi[ -]?year|ongoing|permanent|full[ -]?time|short[ -]?term)\b/i;
/** Text after a number of months which shows that the number is not the duration of the job. */
const NO_DURATION =
  /^[ ]?(?:of\b|experience|exp\b|in\b|ago|old|notice|hands|'|\(?hands|working|industry|warranty|recent|relevant|within|with (?!ext|poss|opt|potent|high|strong|chance))/i;
const NO_DURATION_BEFORE =
  /\b(?:in|within|last|past|least|minimum|min|every|next|after|first|over|recent|probation)[ ]$/i;
const IS_CONTRACT =
  /^[ ,]{0,2}\(?(?:contract|project|assignment|c2h|cth|extend|ext\b|exten|with (?:poss|ext|opt|potent|high|strong|chance)|long|renew|initial|duration|engagement|to hire|\+|rolling|\||$|\n)/i;

/** Reads the duration of the job, such as "12+ months". */
export function readDuration(requirement: RequirementText): Found<string> | null {
  for (const { value, form, field } of labelled(requirement, 'duration', 'terms')) {
    const confidence = form === 'dash' ? 'check' : 'sure';
    const found = lengthIn(value.text, value.from, confidence, true) ?? openIn(value.text, value.from, confidence);
    if (found && (field === 'duration' || !isPermanent(found.value))) return found;
  }
  for (const { value } of labelled(requirement, 'title', 'subject', 'start', 'rate', 'location')) {
    const found = lengthIn(value.text, value.from, 'check', false);
    if (found) return found;
  }
  const found = lengthIn(requirement.head, 0, 'check', false) ?? openIn(requirement.head, 0, 'check');
  if (found && !isPermanent(found.value)) return found;
  return lengthIn(requirement.free, 0, 'check', false);
}

const isPermanent = (words: string): boolean => /^(?:permanent|full)/i.test(words);

function lengthIn(text: string, by: number, confidence: Confidence, isLabelled: boolean): Found<string> | null {
  for (const match of text.matchAll(LENGTH)) {
    const [all, low, plus, high, plusToo, unit, plusAfter] = match;
    const end = match.index + all.trimEnd().length;
    const after = text.slice(end, end + 24);
    const isYears = /^y/i.test(unit!);
    if (!isLabelled) {
      if (NO_DURATION.test(after) || NO_DURATION_BEFORE.test(text.slice(Math.max(0, match.index - 10), match.index)))
        continue;
      if (
        (isYears || /^w/i.test(unit!)) &&
        !IS_CONTRACT.test(after.trimStart().startsWith('contract') ? 'contract' : after)
      )
        continue;
      if (isYears && /^(?:$|\n|\|)/.test(after)) continue;
    }
    const count = String(NUMBERS[low!.toLowerCase()] ?? Number(low));
    const amount = `${count}${high ? `-${Number(high)}` : ''}${(plus ?? plusToo ?? plusAfter) ? '+' : ''}`;
    return { value: `${amount} ${unitName(unit!, amount)}`, confidence, from: by + match.index, to: by + end };
  }
  return null;
}

function unitName(unit: string, amount: string): string {
  const name = /^m/i.test(unit) ? 'month' : /^y/i.test(unit) ? 'year' : 'week';
  return amount === '1' ? name : `${name}s`;
}

function openIn(text: string, by: number, confidence: Confidence): Found<string> | null {
  const match = OPEN.exec(text);
  if (!match) return null;
  const words = match[0]
    .toLowerCase()
    .replace(/[ -]?term/, ' term')
    .replace('full-time', 'full time');
  const value = words[0]!.toUpperCase() + words.slice(1);
  return { value, confidence, from: by + match.index, to: by + match.index + match[0].length };
}
