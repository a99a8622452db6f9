import type { Span } from '../requirement.js';
import { findLabels, type Labelled } from './labels/find-labels.js';
import { type Line, linesOf } from './flat-text.js';
import { findPlaces } from './places.js';
import { MODE_WORD } from './read-work-mode.js';
import { TITLE_NOUN, titleIn } from './read-title.js';
import { isCourtesy } from './requirement-text.js';

/** Maximum number of requirements in one text. */
const MAX_REQUIREMENTS = 50;
/** A separator line between two requirements, or a line that only numbers a requirement. */
const HEADING = /^(?:[-=_~#]{3,}|(?:#|job|position|requirement|req|role|opening)?[ ]?[#-]?\d{1,2}[.):]?)$/i;
const NUMBERED = /^(?:\u2022|-|#?\d{1,2}[.):-]|\(\d{1,2}\))\s*/;
/** Fields that show that two titles belong to two requirements. */
const FACTS = new Set([
  'location',
  'duration',
  'rate',
  'mode',
  'required',
  'client',
  'experience',
  'description',
  'terms',
  'jobId',
  'authorization',
]);

/** Splits a text into its requirements. A text with a single requirement is one span. */
export function splitRequirements(text: string): Span[] {
  const starts = byLabels(text, findLabels(text));
  if (starts.length >= 2) return spansFrom(starts, text.length);
  const lines = byLines(text);
  return lines.length >= 2 ? lines : [{ from: 0, to: text.length }];
}

/**
 * Starts of requirements, found by their labels: a title starts a new requirement if there are facts both between it
 * and the previous title, and after it.
 */
function byLabels(text: string, labels: readonly Labelled[]): number[] {
  const titles = labels.filter(
    ({ field, form, isLineStart, value }) =>
      field === 'title' && value.text !== '' && (isLineStart || form === 'colon'),
  );
  const starts: number[] = [];
  let seen = new Set<string>();
  let next = 0;
  for (const title of titles) {
    for (; next < labels.length && labels[next]!.from < title.from; next += 1)
      if (FACTS.has(labels[next]!.field)) seen.add(labels[next]!.field);
    const isFirst = starts.length === 0;
    if (!isFirst && (seen.size === 0 || !repeats(labels, next, seen))) continue;
    if (!TITLE_NOUN.test(value(title)) && !isFirst) continue;
    starts.push(isFirst ? 0 : startOf(text, title.from));
    seen = new Set();
    if (starts.length === MAX_REQUIREMENTS) break;
  }
  return starts;
}

const value = ({ value: { text } }: Labelled): string => text.slice(0, 200);

/** Whether a field that occurred before occurs again within the next 12 labels. */
function repeats(labels: readonly Labelled[], from: number, seen: ReadonlySet<string>): boolean {
  for (let n = from; n < labels.length && n < from + 12; n += 1) if (seen.has(labels[n]!.field)) return true;
  return false;
}

/** Start of a requirement. Includes the lines above its title that number it or separate it from the text before. */
function startOf(text: string, title: number): number {
  let start = text.lastIndexOf('\n', title - 1) + 1;
  if (/\p{L}/u.test(text.slice(start, title))) return title;
  for (let n = 0; n < 3 && start > 0; n += 1) {
    const before = text.lastIndexOf('\n', start - 2) + 1;
    const line = text.slice(before, start).trim();
    if (!HEADING.test(line) && !/^(?:job|req|requisition|requirement)\b.{0,40}\d/i.test(line)) break;
    start = before;
  }
  return start;
}

const spansFrom = (starts: readonly number[], end: number): Span[] =>
  starts.map((from, n) => ({ from, to: starts[n + 1] ?? end }));

/** A list of requirements: lines that each contain a title with a place or duration. */
function byLines(text: string): Span[] {
  const found: Line[] = [];
  for (const line of linesOf(text)) {
    if (line.text === '' || line.text.length > 300) continue;
    if (isRequirementLine(line)) found.push(line);
    // A long line of prose after the first item shows that the text is no list.
    else if (found.length > 0 && found.length < 2 && line.text.length > 120) found.length = 0;
    if (found.length === MAX_REQUIREMENTS) break;
  }
  const isList =
    found.length >= 2 && found.every((line, n) => n === 0 || text.slice(found[n - 1]!.to, line.from).length < 200);
  if (!isList) return [];
  return found.map(({ from }, n) => ({ from, to: found[n + 1]?.from ?? endOfParagraph(text, found[n]!.to) }));
}

function isRequirementLine(line: Line): boolean {
  if (isCourtesy(line.text)) return false;
  const mark = NUMBERED.exec(line.text)?.[0].length ?? 0;
  const rest = { from: line.from + mark, to: line.to, text: line.text.slice(mark) };
  const parts = rest.text
    .split(/\s{1,9}(?:-{1,2}|\|{1,2}|\/\/|@)\s{1,9}|\s{0,9}[|\t;]\s{0,9}|,\s{1,9}|\s{1,9}\(/)
    .filter(Boolean);
  if (parts.length < 2 || !TITLE_NOUN.test(parts[0]!) || parts[0]!.split(' ').length > 8) return false;
  if (!titleIn(rest, 'check')) return false;
  const after = rest.text.slice(parts[0]!.length);
  return findPlaces(after, false).some(({ place }) => place.region ?? place.city) || MODE_WORD.test(after);
}

function endOfParagraph(text: string, from: number): number {
  const blank = text.slice(from).search(/\n[ \t]*\n/);
  return blank < 0 ? text.length : from + blank;
}
