import { blanked, type Line, linesOf } from './flat-text.js';
import { findLabels, type Labelled } from './labels/find-labels.js';
import { type LabelField, SECTIONS } from './labels/label-fields.js';

/** Greetings and other courtesies at the start and end of a mail. */
const GREETING =
  /^(?:(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day))\b.{0,60}|(?:i |we )?(?:hope|trust)\b.{0,120}|(?:my name is|this is|i am|i'm) .{0,160}|(?:please|kindly|pls|plz) (?:find|share|send|let|see|go through|review|reply|respond|revert|submit|forward|check|note|provide|call|reach|have a look|respond).{0,240}|if (?:you|your|interested).{0,240}|(?:let me know|looking forward|awaiting|send (?:me|us)|share|reply|respond|submit) .{0,200}|urgent(?:ly)? [^|/:]{0,200}|(?:below|following) (?:is|are) .{0,120}|(?:i |we )(?:have|got) (?:an? )?(?:urgent |immediate |new |great )?(?:requirement|opening|position|role|opportunity|need)s?\b.{0,200}|.{0,60}\b(?:requirement|job description|details) (?:is |are )?(?:below|mentioned below|given below|as follows)[.:]?)$/i;

/** The text of one requirement, prepared for the readers of its fields. */
export interface RequirementText {
  text: string;
  labels: readonly Labelled[];
  /** The text before the first section, with labelled parts replaced by spaces. */
  head: string;
  /** The whole text, with labelled single lines replaced by spaces. */
  free: string;
}

export function requirementText(text: string): RequirementText {
  const labels = findLabels(text);
  const facts = labels.filter(({ field }) => !SECTIONS.has(field)).map(({ from, value }) => ({ from, to: value.to }));
  const free = blanked(text, facts);
  const section = labels.find(({ field }) => SECTIONS.has(field));
  return { text, labels, free, head: free.slice(0, section?.from ?? text.length) };
}

/** The labels that have a value, for these fields and in the order of these fields. */
export const labelled = ({ labels }: RequirementText, ...fields: LabelField[]): Labelled[] =>
  fields.flatMap((field) => labels.filter((one) => one.field === field && one.value.text !== ''));

export const isCourtesy = (line: string): boolean => line.length < 300 && GREETING.test(line);

/** The first non-empty lines of the head, at most `most`; the title is searched in them. */
export const headLines = ({ head }: RequirementText, most: number): Line[] => {
  const lines: Line[] = [];
  for (const line of linesOf(head)) {
    if (line.text === '') continue;
    lines.push(line);
    if (lines.length === most) break;
  }
  return lines;
};
