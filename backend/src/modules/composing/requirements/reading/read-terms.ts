import type { EmploymentType } from '../job.js';
import type { Confidence } from '../requirement.js';
import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

const CONTRACTS: readonly [EmploymentType, RegExp][] = [
  ['C2C', /\b(?:c2c|c-2-c|corp[ -]?(?:to|2)[ -]?corp(?:oration)?|corp-corp)\b/gi],
  ['W2', /\bw-?2\b|\bw 2\b/gi],
  ['1099', /\b1099\b/g],
];
const PERMANENT = /\b(?:full[ -]?time|fte|permanent|direct[ -]hire|perm)\b/gi;
/** Words for permanent employment in running text, in which "full time" alone may mean something else. */
const PERMANENT_JOB =
  /\b(?:full[ -]?time (?:position|role|job|opportunity|hire|employment|permanent)|fte|permanent (?:position|role|job|hire)|direct[ -]hire)\b/gi;
const DENIED_BEFORE = /\b(?:no|not|non|without|except|cannot do|can't do|neither)\b[^,;.|()\n]{0,30}$/i;
const DENIED_AFTER = /^[^,;.|()\n]{0,12}\b(?:not|cannot|can't|isn't)\b/i;

/** Reads the terms of employment that the job offers, without those that it rules out. */
export function readTerms(requirement: RequirementText): Found<EmploymentType>[] {
  const found: Found<EmploymentType>[] = [];
  const add = (more: Found<EmploymentType>[]): void => {
    for (const one of more) if (!found.some(({ value }) => value === one.value)) found.push(one);
  };
  for (const { value, form } of labelled(requirement, 'terms'))
    add(termsIn(value.text, value.from, form === 'dash' ? 'check' : 'sure', PERMANENT));
  for (const { value, field } of labelled(requirement, 'rate', 'duration'))
    add(termsIn(value.text, value.from, 'sure', field === 'rate' ? PERMANENT_JOB : PERMANENT));
  if (found.length > 0) return found;
  for (const { value } of labelled(requirement, 'title', 'subject', 'location', 'authorization'))
    add(termsIn(value.text, value.from, 'check', PERMANENT));
  add(termsIn(requirement.head, 0, 'check', PERMANENT_JOB));
  if (found.length > 0) return found;
  return termsIn(requirement.text, 0, 'check', PERMANENT_JOB).filter(
    (one, n, all) => all.findIndex(({ value }) => value === one.value) === n,
  );
}

function termsIn(text: string, from: number, confidence: Confidence, permanent: RegExp): Found<EmploymentType>[] {
  const found: Found<EmploymentType>[] = [];
  for (const [value, pattern] of [...CONTRACTS, ['FULL_TIME', permanent] as const])
    for (const { index, 0: word } of text.matchAll(pattern)) {
      const end = index + word.length;
      if (
        DENIED_BEFORE.test(text.slice(Math.max(0, index - 40), index)) ||
        DENIED_AFTER.test(text.slice(end, end + 30))
      )
        continue;
      found.push({ value, confidence, from: from + index, to: from + end });
    }
  return found;
}
