import { findSkills, skillName } from '../../../../shared/skills/find-skills.js';
import type { Confidence } from '../requirement.js';
import { type Line, trimmed } from './flat-text.js';
import { firstFound, type Found } from './found.js';
import type { Labelled } from './labels/find-labels.js';
import { findPlaces } from './places.js';
import { MODE_WORD } from './read-work-mode.js';
import { headLines, isCourtesy, labelled, type RequirementText } from './requirement-text.js';

/** Nouns at or near the end of a title. */
export const TITLE_NOUN =
  /\b(?:developer|dev|engineer|architect|analyst|administrator|admin|manager|consultant|lead|tester|scientist|specialist|designer|programmer|dba|sdet|sre|scrum ?master|product owner|director|coordinator|technician|modell?er|writer|trainer|strategist|accountant|nurse|officer|auditor|advisor|associate|expert|supervisor|planner|buyer|controller|recruiter|researcher|statistician|agent|operator|qa|devops|rn)s?\b/i;
const SEPARATOR =
  /\s{1,9}(?:-{1,3}|\|{1,2}|\/{2,}|@|::|~)\s{0,9}|\s{0,9}(?:\||;|•|\t|\/{2})\s{0,9}|-\s{1,9}|,\s{0,9}|\s{1,9}(?=\()|\s{1,9}(?:in|at|for|with|on|who|that|to|having|from|located|based|based in|will|is|near|needed|required|who's|starting)\s{1,9}/gi;
/** Prepositions after which the text may still belong to the title. */
const SOFT = /^\s+(?:in|at|for|with|on|to|from)\s+$/i;
const FACT =
  /^[^\p{L}\d$]*$|\$|\b(?:c2c|w-?2|1099|corp|contract|cth|c2h|fte|permanent|perm|full[- ]?time|part[- ]?time|months?|mos|long[- ]?term|years?|yrs?|exp(?:erience)?|urgent(?:ly)?|immediate(?:ly)?|asap|hot|need(?:ed)?|opening|requirement|openings|direct client|our client|client|my client|location|locals?|only|visas?|usc|gc|h1b?|positions?|needed|interview|start(?:s|ing)?|job id|req|id|hiring|day ?1|rate|duration|candidates?|resumes?|profiles?|end client|state of|citizens?|independent|considered|relocation|est|pst|cst|time ?zone|remote|extension)\b|^[#(]?\s*[a-z]{0,5}-?\d[\d-]*\)?$|^(?:the|a|an|our|my|one of|this|its|their)\b|^\d|\bx ?\d+$/iu;
/** Words before a title, with their separators. Several of them may follow each other. */
const PREFIX =
  /(?:(?:\[[^\]\n]{0,30}\]|urgent(?:ly)?|hot|immediate|new|direct client|exclusive|need(?:ed|s)?|hiring|looking|looking for|seeking|multiple|\d{1,2} ?x|for|of|an?|the|now|open|fresh|local|locals only|top|asap|great|excellent|opening for|requirement for|position of|we are|i am|our client is|experienced|\d{1,2}\)|\d{1,2}\.|#\d+)[:!\s•#-]|(?:re|fw|fwd|job|opening|requirements?|req|position|role|title|job title|opportunity|prime|client|priority|interview|high|long term|contract|required|profiles?)[ ]?(?:[:!•]|[ ]-))[:!\s•#-]{0,4}/iy;
const SUFFIX =
  /[\s,-]{0,9}\b(?:needed|required|position|positions|role|roles|opening|openings|opportunity|job|urgently|profiles?|requirement|candidates?|immediately|urgent|resources?|wanted)\s{0,9}[.!]{0,9}$/i;
const ASKED =
  /\b(?:looking (?:out )?for|seeking|hiring|in (?:urgent |immediate |dire )?need (?:of|for)|needs?|openings? (?:for|as)|requirements? (?:for|of)|positions? (?:for|of|as|is|-|:)|roles? (?:of|as|is)|opportunit(?:y|ies) (?:for|as)|search(?:ing)? for|recruiting for|profiles? (?:for|of)|resumes? (?:for|of)|candidates? for|consultants? for|req for|recruit|(?:share|send) (?:me |us |your )?(?:profiles?|resumes?|candidates?))[ :-]{1,3}/gi;
const FILLER =
  /(?:an?|the|our|multiple|several|some|few|one|two|three|\d{1,2}|urgent(?:ly)?|immediate|experienced|strong|highly|skilled|qualified|talented|good|great|excellent|very|hands-on|position|role|local|of|for|profiles?|resumes?|candidates?|consultants?)\s+/iy;
const SENTENCE =
  /\b(?:is|are|was|will|have|has|had|should|must|please|you|your|we|our|i|i'm|they|this|these|can|could|would|it|work|working|ability|experience|knowledge|responsible|strong|report|reports|reporting)\b/i;
/** Maximum number of words of a title. */
const MAX_TITLE_WORDS = 11;
/** Maximum number of characters of a title. */
const MAX_TITLE_LENGTH = 110;
/** Labels that do not always announce a title. */
const LOOSE = /^(?:requirement|need|job|profile|hiring|req|looking for|new requirement|opening)/i;

/** Reads the job title. */
export function readTitle(requirement: RequirementText): Found<string> | null {
  const { text } = requirement;
  return firstFound(
    ...labelled(requirement, 'title').map((label) => () => ofLabel(text, label)),
    ...labelled(requirement, 'subject').map(
      ({ value }) =>
        () =>
          withNoun(titleIn(value, 'check')),
    ),
    () => asked(requirement),
    ...headLines(requirement, 14).map((line) => () => ofLine(line)),
  );
}

function ofLabel(text: string, { from, to, value, form }: Labelled): Found<string> | null {
  const isLoose = LOOSE.test(text.slice(from, to)) || form === 'alone' || form === 'dash';
  const found = titleIn(value, form === 'colon' || form === 'cell' ? 'sure' : 'check');
  if (!found) return null;
  if (TITLE_NOUN.test(found.value)) return isLoose ? { ...found, confidence: 'check' } : found;
  return isLoose || found.value.split(' ').length > 7 ? null : { ...found, confidence: 'check' };
}

const withNoun = (found: Found<string> | null): Found<string> | null =>
  found && TITLE_NOUN.test(found.value) ? found : null;

/** The title in a sentence that asks for a candidate, such as "We are looking for a Sr Java Developer in Hartford". */
function asked(requirement: RequirementText): Found<string> | null {
  const { head } = requirement;
  for (const match of head.matchAll(ASKED)) {
    const from = match.index + match[0].length;
    const [rest] = head.slice(from, from + MAX_TITLE_LENGTH * 2).split(/[.;\n](?=\s|$)|\n/);
    const filler = repeated(FILLER, rest!);
    const line = trimmed(head, { from: from + filler, to: from + rest!.length });
    const found = withNoun(titleIn(line, 'check'));
    if (found && found.value.split(' ').length <= 8 && !SENTENCE.test(found.value)) return found;
  }
  return null;
}

/** The title of a line that contains only the title or begins with it. */
function ofLine(line: Line): Found<string> | null {
  if (isCourtesy(line.text) || line.text.length > 400) return null;
  const found = withNoun(titleIn(line, 'check'));
  return found && !SENTENCE.test(found.value) ? found : null;
}

/** The title at the beginning of a text, without the places, terms and other facts around it. */
export function titleIn(given: Line, confidence: Confidence): Found<string> | null {
  const prefix = repeated(PREFIX, given.text);
  const text = given.text.slice(prefix, prefix + 400).split('\n')[0]!;
  let [start, end] = [-1, -1];
  for (const part of partsOf(text)) {
    if (isFact(part.text)) {
      if (start < 0) continue;
      break;
    }
    if (start >= 0 && part.isAfterTitle) break;
    if (start < 0) start = part.from;
    end = part.to;
    if (end - start > MAX_TITLE_LENGTH) break;
  }
  if (start < 0) return null;
  let value = text
    .slice(start, end)
    .replace(SUFFIX, '')
    .replace(/[\s.,:;/&-]{1,9}$/, '');
  if (value.includes('(') && !value.includes(')'))
    value = text[start + value.length] === ')' ? `${value})` : value.slice(0, value.lastIndexOf('(')).trimEnd();
  if (value.length < 2 || value.length > MAX_TITLE_LENGTH || !/\p{L}{2}/u.test(value)) return null;
  if (value.split(/\s+/).length > MAX_TITLE_WORDS) return null;
  const from = given.from + prefix + start;
  return { value: usualCase(value.replace(/\s+/g, ' ')), confidence, from, to: from + value.length };
}

/** Length of the text that repeated matches of a sticky pattern cover. */
function repeated(pattern: RegExp, text: string): number {
  let length = 0;
  for (pattern.lastIndex = 0; pattern.test(text); pattern.lastIndex = length) length = pattern.lastIndex;
  return length;
}

interface Part {
  from: number;
  to: number;
  text: string;
  /** Whether the title has ended before this part. */
  isAfterTitle: boolean;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let isAfterTitle = false;
  const add = (to: number): void => {
    const { from, to: last, text: part } = trimmed(text, { from: start, to });
    parts.push({ from, to: last, text: part, isAfterTitle });
  };
  for (const { index, 0: sign } of text.matchAll(SEPARATOR)) {
    const word = sign.trim();
    add(index);
    start = index + sign.length;
    // A separator that is a word ("Manager who ...") ends the title, unless the text after it belongs to the title. A
    // sign does not: "Engineer - Data", "Lead, Data" and "Developer (Java)" may continue it.
    isAfterTitle =
      /^\p{L}/u.test(word) && !(SOFT.test(sign) && /^(?:with|for|in|on)$/i.test(word) && goesOn(text.slice(start)));
  }
  add(text.length);
  return parts;
}

/**
 * Whether text after a preposition belongs to the title. It does in "Developer with AWS", but not in "Developer with 8
 * years" or "Developer with strong ...".
 */
function goesOn(after: string): boolean {
  const next = after.split(/\s{1,9}(?:-|\||in|at|for|with|who|to)\s{1,9}|[,(|;.]/i)[0]!;
  const [skill] = findSkills(next);
  return skill !== undefined && skill.from <= 1 && next.split(/\s+/).length <= 4;
}

function isFact(part: string): boolean {
  const text = part.replace(/^[\s(]{1,9}|[\s)]{1,9}$/g, '');
  if (text === '' || FACT.test(text) || (MODE_WORD.test(text) && !TITLE_NOUN.test(text))) return true;
  const places = findPlaces(text, false);
  if (places.length === 0 || TITLE_NOUN.test(text))
    return /^[A-Z]{2}$/.test(text) && findPlaces(`x, ${text}`, true).length > 0;
  return places[0]!.from <= 2;
}

const ACRONYMS = new Set(
  'QA BA UI UX ETL SQL SAP AWS BI IT PM ERP CRM API II III IV DBA SDET MVC RPA IAM GCP ML AI NLP HR VP SME FICO MM SD ABAP HANA BW PP WM EWM CPI SOC GRC SSIS SSRS SRE RN EDI PCF DB2 CICS JCL MDM PLM PMO EHR EMR LAN WAN VOIP NOC HL7 OIC EBS OTC P2P HCM SCM TM QM LLM'.split(
    ' ',
  ),
);

/** A title in the usual case: "SR JAVA DEVELOPER" becomes "Sr Java Developer". */
function usualCase(title: string): string {
  if (title !== title.toUpperCase() || !/\p{L}{4}/u.test(title)) return title;
  return title.replace(/[\p{L}\d.+#]+/gu, (word) => {
    if (ACRONYMS.has(word)) return word;
    const skill = skillName(word);
    if (skill && skill.toUpperCase() === word) return skill;
    return word[0]! + word.slice(1).toLowerCase();
  });
}
