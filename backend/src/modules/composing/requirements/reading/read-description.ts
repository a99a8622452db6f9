import { JOB_LIMITS } from '../job.js';
import type { Span } from '../requirement.js';
import { forwardLines, sentencesOf } from './closing-parts.js';
import { blanked, holdsAny, type Line, linesOf } from './flat-text.js';
import type { Found } from './found.js';
import { SECTIONS } from './labels/label-fields.js';
import { isCourtesy, type RequirementText } from './requirement-text.js';

/** Lines with more characters than this are split into sentences. */
const LONG_LINE = 300;

/**
 * Reads the description: the sections about duties or, without such sections, all text that no field contains. Leaves
 * out greetings, forward headers, signatures, requests for profiles, and every line or sentence with a contact detail.
 * @param contacts spans of contact details
 */
export function readDescription(
  { text, labels, free }: RequirementText,
  contacts: readonly Span[],
): Found<string> | null {
  const sections = labels.filter(({ field, value }) => field === 'description' && value.text !== '');
  const isSectioned = sections.length > 0;
  const lists = labels.filter(({ field }) => SECTIONS.has(field)).map(({ from, value }) => ({ from, to: value.to }));
  const rest = isSectioned ? [] : [{ from: 0, to: text.length }];
  const source = isSectioned ? text : blanked(free, [...lists, ...forwardLines(free)]);
  const spans: Span[] = isSectioned ? sections.map(({ value }) => value) : rest;
  const isLeftOut = holdsAny(contacts);
  const kept: Line[] = [];
  for (const span of spans) {
    for (const line of linesOf(source, span)) {
      if (line.text === '' && kept.at(-1)?.text !== '') kept.push(line);
      for (const part of line.text.length > LONG_LINE ? sentencesOf(line) : [line])
        if (part.text !== '' && !isLeftOut(part) && !isCourtesy(part.text) && /\p{L}{2}/u.test(part.text))
          kept.push(part);
    }
  }
  while (kept.length > 0 && kept.at(-1)!.text === '') kept.pop();
  while (kept.length > 0 && kept[0]!.text === '') kept.shift();
  const value = kept
    .map((line) => line.text.replace(/[\t ]+/g, ' ').trim())
    .join('\n')
    .slice(0, JOB_LIMITS.description)
    .toWellFormed()
    .trim();
  if (value.length < 3) return null;
  return { value, confidence: 'check', from: kept[0]!.from, to: kept.at(-1)!.to };
}
