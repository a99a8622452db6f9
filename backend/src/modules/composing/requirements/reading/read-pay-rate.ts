import { JOB_LIMITS, type JobSalary, type SalaryUnit } from '../job.js';
import type { Confidence } from '../requirement.js';
import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

/** The pay of a job: as numbers if there are any, and as the text that a person wrote about it. */
export interface Rate {
  salary?: JobSalary;
  note?: string;
}

const AMOUNT = String.raw`(\d{1,3}(?:,\d{3}){1,2}|\d{1,6}(?:\.\d{1,2})?)`;
const UNIT = String.raw`(?:[ ]?(\/|per|an|a|p|\bin)[ .]?[ ]?)?\b(hr|hrs|hour|hourly|h|yr|yrs|year|yearly|annum|annually|annual|pa)\b`;
const RATE = new RegExp(
  String.raw`(\$|\busd)?[ ]?\b${AMOUNT}[ ]?(k\b)?(?:[ ]?(?:${UNIT}))?(?:[ ]?(?:-|to)[ ]?(\$|usd)?[ ]?${AMOUNT}[ ]?(k\b)?)?[ ]?(?:\+|\busd\b)?(?:[ ]?(?:${UNIT}))?`,
  'gi',
);
/** Words instead of an amount, after the label of a rate. */
const WORDS =
  /\b(?:DOE|BOE|DOQ|best (?:possible )?(?:market )?rates?|(?:as per |competitive |per )?(?:the )?(?:market|mkt)(?: ?rates?)?|open rates?|rate (?:is )?(?:open|negotiable)|negotiable|competitive|depends on experience|depending on experience|based on experience|open)\b/i;
/** Words instead of an amount, anywhere in the text. */
const PLAIN_WORDS =
  /\b(?:DOE|best (?:possible )?(?:market )?rate|(?:market|mkt) rate|rate (?:is )?(?:open|negotiable|market|DOE)|rate:? ?(?:market|DOE|open)|depend(?:s|ing) on experience)\b/i;
const HIGHEST_BEFORE = /\b(?:up ?to|max(?:imum)?|not (?:to )?exceed(?:ing)?|under|no more than)[ :]{0,2}$/i;
const HIGHEST_AFTER = /^[ ]{0,2}\(?(?:max|maximum|or less)\b/i;
/** Text after a number which shows that the number is not a rate. */
const NO_RATE =
  /^[ ]?(?:%|\+?[ ]?(?:years?|yrs?|months?|mos?|days?|weeks?|people|positions?|million|billion|m\b|b\b|mm\b|employees|users|hrs? (?:a|per)|hours? (?:a|per)|\/ ?7|x7))/i;
const MAX_NOTE_LENGTH = 80;

/** Reads the pay of the job. */
export function readPayRate(requirement: RequirementText): Found<Rate> | null {
  for (const { value, form } of labelled(requirement, 'rate')) {
    const found = inLabel(value.text, value.from, form === 'dash' || form === 'alone' ? 'check' : 'sure');
    if (found) return found;
  }
  for (const { value } of labelled(requirement, 'terms', 'title', 'subject', 'duration', 'location')) {
    const [first] = salariesIn(value.text, false);
    if (first) return shifted(first, value.from, 'check');
  }
  for (const text of [requirement.head, requirement.free]) {
    const [first] = salariesIn(text, false);
    if (first) return shifted(first, 0, 'check');
  }
  const words = PLAIN_WORDS.exec(requirement.free);
  if (!words) return null;
  const note = WORDS.exec(words[0])?.[0] ?? words[0];
  const from = words.index + words[0].indexOf(note);
  return { value: { note }, confidence: 'check', from, to: from + note.length };
}

function inLabel(text: string, from: number, confidence: Confidence): Found<Rate> | null {
  const salaries = salariesIn(text, true);
  const words = WORDS.exec(text);
  const [first] = salaries;
  if (first) {
    const isOne = salaries.every(({ salary }) => JSON.stringify(salary) === JSON.stringify(first.salary));
    const found = shifted(first, from, isOne && first.isPlain ? confidence : 'check');
    return words ? { ...found, value: { ...found.value, note: words[0] } } : found;
  }
  if (words)
    return {
      value: { note: words[0] },
      confidence,
      from: from + words.index,
      to: from + words.index + words[0].length,
    };
  const note = text.split(/[|;(\n]/)[0]!.trim();
  const isNote = note !== '' && note.length <= MAX_NOTE_LENGTH && !/\d/.test(note) && /\p{L}{3}/u.test(note);
  return isNote ? { value: { note }, confidence: 'check', from, to: from + note.length } : null;
}

interface Salary {
  salary: JobSalary;
  from: number;
  to: number;
  /** Whether the unit is written, or unambiguous from the amount. */
  isPlain: boolean;
}

const shifted = ({ salary, from, to }: Salary, by: number, confidence: Confidence): Found<Rate> => ({
  value: { salary },
  confidence,
  from: from + by,
  to: to + by,
});

/** @param isLabelled whether numbers without a currency sign or unit are accepted */
function salariesIn(text: string, isLabelled: boolean): Salary[] {
  const found: Salary[] = [];
  for (const match of text.matchAll(RATE)) {
    const [all, sign, low, lowK, lowPer, lowUnit, highSign, high, highK, highPer, highUnit] = match;
    const end = match.index + all.trimEnd().length;
    const after = text.slice(end, end + 16);
    if (NO_RATE.test(after) && !highUnit && !lowUnit) continue;
    const hasSign = Boolean(sign ?? highSign);
    const per = highPer ?? lowPer;
    const unitWord = (highUnit ?? lowUnit)?.toLowerCase();
    // Without a sign or label, "60/hr" is a rate but "8 hours" is a duration.
    if (!hasSign && !isLabelled && !(unitWord && per && per.toLowerCase() !== 'a')) continue;
    if (!hasSign && unitWord && !per && /^(?:hrs|hour|yr|yrs|year)$/.test(unitWord) && !isLabelled) continue;
    const isThousands = Boolean(lowK ?? highK);
    const amounts = [low, high].filter((one) => one !== undefined).map((one) => amountOf(one, isThousands));
    const unit = unitOf(unitWord, amounts);
    if (!unit) continue;
    const [min, max] = amounts.length > 1 ? [Math.min(...amounts), Math.max(...amounts)] : [amounts[0]!];
    const isHighest =
      max === undefined &&
      (HIGHEST_BEFORE.test(text.slice(Math.max(0, match.index - 24), match.index)) || HIGHEST_AFTER.test(after));
    const lead = all.length - all.trimStart().length;
    found.push({
      salary: {
        ...(isHighest ? { max: min } : { min, ...(max !== undefined && max !== min && { max }) }),
        unit,
        currency: 'USD',
      },
      from: match.index + lead,
      to: end,
      isPlain: hasSign || unitWord !== undefined || isThousands,
    });
  }
  return found;
}

function amountOf(digits: string, isThousands: boolean): number {
  const amount = Number(digits.replaceAll(',', ''));
  return isThousands && amount < 1_000 ? amount * 1_000 : amount;
}

/**
 * Unit of an amount, from a word or from the size of the amount.
 * @returns null if the amount fits neither an hour nor a year, or does not fit the word
 */
function unitOf(word: string | undefined, amounts: readonly number[]): SalaryUnit | null {
  const isHourly = amounts.every((amount) => amount >= 10 && amount <= 400);
  const isYearly = amounts.every((amount) => amount >= 20_000 && amount <= JOB_LIMITS.salary);
  if (word) return word.startsWith('h') ? (isHourly ? 'HOUR' : null) : isYearly ? 'YEAR' : null;
  return isHourly ? 'HOUR' : isYearly ? 'YEAR' : null;
}
