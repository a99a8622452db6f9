import type { Span } from '../requirement.js';
import type { ContactDetail } from './contact-details.js';
import { holdsAny, type Line, linesOf } from './flat-text.js';

/** Closing words of a mail; the sender's name follows them. */
const CLOSING =
  /^(?:(?:many |much )?thanks?(?: ?(?:&|and|\/|n)? ?(?:you|with|in advance|a lot|so much))?(?: ?(?:&|and|\/|,|with)? ?(?:best|kind|warm)? ?regards?)?|thank you(?: (?:very|so) much| for your time)?(?:[,.!]? ?(?:&|and)? ?(?:best|kind|warm)? ?regards?)?|(?:with )?(?:best|kind|kindest|warm|warmest|good)?(?: personal)? ?regards?|best(?: wishes)?|sincerely(?: yours)?|yours (?:truly|sincerely)|cheers|respectfully)\s?[,.!:-]{0,3}$/i;
/** Closing words inside a line, if a name follows them. */
const INLINE_CLOSING =
  /\b(?:Thanks(?: (?:&|and) (?:Best )?Regards| in advance)?|Thank you|(?:Best|Warm|Kind)? ?Regards|Sincerely)[,.!:]{0,2}[ -]{1,3}(?=\p{Lu}[\p{L}.]+)/gu;
const DISCLAIMER =
  /\b(?:confidential(?:ity)? (?:notice|note|and|information|statement|disclaimer)|is confidential|intended (?:only )?(?:recipient|for the|solely|exclusively)|intended solely|if you (?:have received|are not the intended|received) |received this (?:e-?mail|message|communication) in error|unsubscribe|opt[- ]?out|remove (?:me|you|your)\b[^.\n]{0,60}\blist|removed from (?:our|the|this|my)\b[^.\n]{0,40}\blist|reply with (?:the word )?"?remove|subject (?:line )?"?remove|privileged (?:and|or|information)|not spam|unsolicited|bill s\.? ?1618|can-?spam|this (?:e-?mail|message) (?:and any|contains|is intended|was sent|is sent|may contain|is not)|virus(?:es)?\b[^.\n]{0,60}\b(?:attachment|transmi|e-?mail|liab)|equal (?:employment )?opportunity employer|e-?verify employer|all qualified applicants|without regard to (?:race|sex|age|color)|please consider the environment|disclaimer|we (?:do not|don't) (?:discriminate|sell|share)|save (?:a tree|paper)|print this (?:e-?mail|message))/i;
const FORWARD_LINE =
  /^(?:-{2,} ?(?:original|forwarded) message ?-{2,}|begin forwarded message:?|_{10,}|-{3,} ?forwarded (?:message|by)\b.*|(?:from|sent|to|cc|bcc|date|reply-to|importance|attachments?)\s?: .*|on .{4,80}\bwrote:|(?:from|sent|to|cc|date)\s?:)$/i;
const FACT_LABEL =
  /^[^\p{L}\n]{0,8}(?:job ?title|title|role|position|job role|requirement|req(?:uirement)? ?#?|location|loc|client|end client|duration|rate|skills?|job ?id|subject|sub|job description|jd|mandatory|must have|responsibilities|note)\b[^:\n]{0,24}:/iu;
/** Maximum number of lines of a signature. */
const MAX_LINES = 16;
const MAX_LINE_LENGTH = 110;
/** Lines with more characters than this are split into sentences. */
const LONG_LINE = 400;

const isForwardLine = (line: string): boolean => line.length < 400 && FORWARD_LINE.test(line);

/** Header lines of forwarded messages and the lines that introduce them, except subjects. */
export const forwardLines = (text: string): Span[] => linesOf(text).filter(({ text: line }) => isForwardLine(line));

/** Sentences and paragraphs about confidentiality, unsubscribing or the employer. */
export function findDisclaimers(text: string): Span[] {
  const lines = linesOf(text);
  const found: Span[] = [];
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n]!;
    for (const part of line.text.length > LONG_LINE ? sentencesOf(line) : [line])
      if (DISCLAIMER.test(part.text)) found.push({ from: part.from, to: part.to });
    // A disclaimer that is only a heading includes the paragraph below it.
    if (found.at(-1)?.to === line.to && line.text.length < 40)
      for (let m = n + 1; m < lines.length && lines[m]!.text !== '' && !FACT_LABEL.test(lines[m]!.text); m += 1)
        found.push({ from: lines[m]!.from, to: lines[m]!.to });
  }
  return joined(text, found);
}

/** Splits a long line into its sentences. */
export function sentencesOf({ from, text }: Line): Line[] {
  const parts: Line[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/[.!?](?= )/g)) {
    const to = index + end.length;
    parts.push({ from: from + start, to: from + to, text: text.slice(start, to) });
    start = to + 1;
  }
  if (start < text.length) parts.push({ from: from + start, to: from + text.length, text: text.slice(start) });
  return parts;
}

/** Signatures: the block after a closing, or the lines around contact details at the end of a message. */
export function findSignatures(text: string, contacts: readonly ContactDetail[], disclaimers: readonly Span[]): Span[] {
  const lines = linesOf(text);
  const found: Span[] = [];
  const holdsContact = holdsAny(contacts);
  const isDisclaimer = holdsAny(disclaimers);
  const isEnd = (line: Line): boolean =>
    isForwardLine(line.text) || FACT_LABEL.test(line.text) || line.text.length > MAX_LINE_LENGTH || isDisclaimer(line);
  let skipTo = 0;
  for (let n = 0; n < lines.length; n += 1) {
    if (n < skipTo) continue;
    const line = lines[n]!;
    if (line.text.length <= 60 && CLOSING.test(line.text)) {
      let last = n;
      for (let m = n + 1; m < lines.length && m <= n + MAX_LINES && !isEnd(lines[m]!); m += 1)
        if (lines[m]!.text !== '') last = m;
      found.push({ from: line.from, to: lines[last]!.to });
      skipTo = last + 1;
    }
  }
  for (const { index } of text.matchAll(INLINE_CLOSING)) {
    const lineEnd = text.indexOf('\n', index);
    const to = Math.min(lineEnd < 0 ? text.length : lineEnd, index + 400);
    if (holdsContact({ from: index, to }) || to - index < 80) found.push({ from: index, to });
  }
  return joined(text, [...found, ...endBlocks(lines, holdsContact, isEnd)]);
}

/** Blocks at the end of a message: short lines with contact details, and the short lines above them. */
function endBlocks(
  lines: readonly Line[],
  holdsContact: (line: Span) => boolean,
  isEnd: (line: Line) => boolean,
): Span[] {
  const blocks: Span[] = [];
  for (let n = 0; n < lines.length; n += 1) {
    if (!isSignatureLine(lines[n]!, isEnd)) continue;
    let end = n;
    while (end + 1 < lines.length && isSignatureLine(lines[end + 1]!, isEnd)) end += 1;
    const block = lines.slice(n, end + 1);
    const at = block.findIndex(holdsContact);
    const isNamed = block[0]!.text.split(' ').length <= 5 && !/[.:;]$/.test(block[0]!.text);
    if (at > 0 && block.length >= 2 && block.length <= 10 && isNamed)
      blocks.push({ from: block[0]!.from, to: block.at(-1)!.to });
    n = end;
  }
  return blocks;
}

const isSignatureLine = (line: Line, isEnd: (line: Line) => boolean): boolean =>
  line.text !== '' && line.text.length <= 90 && !isEnd(line) && !/^[\u2022-]/.test(line.text);

/** The spans in order; spans with only white space between them are joined. */
function joined(text: string, spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && (span.from <= last.to || text.slice(last.to, span.from).trim() === ''))
      last.to = Math.max(last.to, span.to);
    else all.push({ ...span });
  }
  return all;
}
