import type { WorkMode } from '../job.js';
import type { Confidence } from '../requirement.js';
import { linesOf } from './flat-text.js';
import type { Found } from './found.js';
import { labelled, type RequirementText } from './requirement-text.js';

/** The work mode, and a note with its details, such as "3 days a week". */
export interface Mode {
  mode: WorkMode;
  note?: string;
}

const REMOTE = /\bremote(?:ly)?\b|\bwfh\b|\bwork(?:ing)? from (?:home|anywhere)\b|\btele(?:work|commut)/i;
const HYBRID = /\bhybrid\b/i;
const ONSITE = /\bon[- ]?site\b|\bin[- ](?:the )?office\b|\bin[- ]person\b(?! interview)|\bwork from office\b|\bwfo\b/i;
const NOT_REMOTE = /\b(?:no|not|non|never)[- ](?:a )?remote\b|\bremote (?:work )?(?:is )?(?:not|no)\b|\bno wfh\b/i;
/** Any word for a work mode. */
export const MODE_WORD = new RegExp(`${REMOTE.source}|${HYBRID.source}|${ONSITE.source}`, 'i');
const NOTE =
  /\b(?:(?:\d|one|two|three|four|five)(?: ?(?:-|to|or) ?\d)? ?x? ?(?:days?|times?)(?: ?(?:\/|a|per|in a|each|every) ?(?:week|wk)| weekly)?(?: ?(?:on[- ]?site|in[- ](?:the )?office|in|remote|wfh|from home))?(?: ?(?:\/|a|per|in a|each|every) ?(?:week|wk))?|(?:mon|tue|tues|wed|thu|thur|thurs|fri)\w{0,6}(?:(?:,| ?- ?| ?to ?| ?& ?| and ) ?(?:mon|tue|wed|thu|fri)\w{0,6}){1,4}|from day (?:1|one)|day (?:1|one)(?= on))\b/i;
/** Phrases in which "onsite", "remote" or "hybrid" does not mean the work mode. */
const OTHER =
  /\bon[- ]?site[ -]{0,3}(?:\/|and|&)?[ -]{0,3}off[- ]?shore|\boff[- ]?shore|\bon[- ]?site (?:interview|visit|coordinat|lead)|\bremote (?:team|client|user|site|server|desktop|procedure|location|support|access|office|sensing|monitoring)|\bhybrid (?:cloud|app|mobile|infrastructure|environment|model train|data|framework|architecture)/gi;
/** Phrases that certainly state the mode of the job. */
const STRONG =
  /\b(?:100 ?%|fully|completely|strictly|only|day (?:1|one)|permanent(?:ly)?) (?:remote|on[- ]?site)\b|\b(?:remote|hybrid|on[- ]?site) (?:position|role|job|opportunity|schedule|only|from day)\b|\b(?:position|role|job|this|work) (?:is|will be) (?:an? )?(?:100 ?% |fully )?(?:remote|hybrid|on[- ]?site)\b/i;

/** Reads the work mode. */
export function readWorkMode(requirement: RequirementText): Found<Mode> | null {
  for (const { value, form } of labelled(requirement, 'mode', 'location')) {
    const found = modeIn(value.text, value.from, form === 'dash' ? 'check' : 'sure');
    if (found) return found;
  }
  for (const { value } of labelled(requirement, 'title', 'subject', 'duration', 'terms')) {
    const found = modeIn(value.text, value.from, 'check');
    if (found) return found;
  }
  for (const label of requirement.labels)
    if (label.field === 'mode') {
      const found = modeIn(requirement.text.slice(label.from, label.to), label.from, 'check');
      if (found && label.value.text !== '' && !/^no\b/i.test(label.value.text)) return found;
    }
  for (const line of linesOf(requirement.head)) {
    const found = line.text.length < 600 ? modeIn(line.text, line.from, 'check') : strongIn(line.text, line.from);
    if (found) return found;
  }
  return strongIn(requirement.free, 0);
}

function strongIn(text: string, from: number): Found<Mode> | null {
  const match = STRONG.exec(text);
  return match && modeIn(match[0], from + match.index, 'check');
}

function modeIn(given: string, from: number, confidence: Confidence): Found<Mode> | null {
  const text = given.replace(OTHER, (words) => ' '.repeat(words.length));
  const [remote, hybrid, onsite] = [REMOTE.exec(text), HYBRID.exec(text), ONSITE.exec(text)];
  const note = NOTE.exec(text);
  const denied = NOT_REMOTE.exec(text);
  const first =
    hybrid ??
    (denied ? (onsite ?? denied) : [remote, onsite].filter((one) => one !== null).sort((a, b) => a.index - b.index)[0]);
  if (!first) return null;
  const isMixed = Boolean(remote && (onsite || hybrid)) || denied !== null;
  const isParted = note !== null && !hybrid && remote !== null && onsite !== null;
  const mode = hybrid || isParted ? 'hybrid' : first === remote ? 'remote' : 'onsite';
  const isNear = note !== null && Math.abs(note.index - first.index) < 60;
  const spans = [first, ...(isNear ? [note] : [])];
  return {
    value: { mode, ...(isNear && { note: note[0] }) },
    confidence: isMixed && !hybrid ? 'check' : hybrid && (remote || onsite) && !isNear ? 'check' : confidence,
    from: from + Math.min(...spans.map(({ index }) => index)),
    to: from + Math.max(...spans.map(({ index, 0: words }) => index + words.length)),
  };
}
