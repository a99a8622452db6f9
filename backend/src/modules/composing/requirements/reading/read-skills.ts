import { findSkills } from '../../../../shared/skills/find-skills.js';
import { JOB_LIMITS } from '../job.js';
import type { Confidence, Span } from '../requirement.js';
import type { Found } from './found.js';
import { sentencesOf } from './closing-parts.js';
import { blanked, linesOf } from './flat-text.js';
import { labelled, type RequirementText } from './requirement-text.js';

const OPTIONAL =
  /\b(?:(?:is|are|as|be|big|huge|a|an|strong|added) (?:a |an |big |huge |added )?(?:plus|advantage|bonus)|nice to have|good to have|preferred|preferably|desir(?:ed|able)|optional|bonus|not mandatory|plus)\b/i;

/** Skills that the job requires or prefers, by their names in the vocabulary. */
export interface Skills {
  required: Found<string>[];
  preferred: Found<string>[];
}

/**
 * Reads the skills from labelled lists, and from the whole text if the lists contain fewer than two. Skills in a
 * sentence such as "Kafka is a plus" are preferred.
 */
export function readSkills(requirement: RequirementText): Skills {
  const { text, free } = requirement;
  const required = new Map<string, Found<string>>();
  const preferred = new Map<string, Found<string>>();
  const lists = labelled(requirement, 'required');
  const add = (to: Map<string, Found<string>>, part: string, by: number, confidence: Confidence): void => {
    for (const { name, from, to: end } of findSkills(part))
      if (!to.has(name)) to.set(name, { value: name, confidence, from: from + by, to: end + by });
  };
  const optional: Span[] = [];
  for (const { from, value } of labelled(requirement, 'preferred')) {
    add(preferred, value.text, value.from, 'sure');
    optional.push({ from, to: value.to });
  }
  for (const line of linesOf(text))
    for (const sentence of line.text.length > 160 ? sentencesOf(line) : [line])
      if (
        OPTIONAL.test(sentence.text) &&
        !optional.some(({ from, to }) => sentence.from >= from && sentence.to <= to)
      ) {
        const part = optionalPart(sentence.text);
        add(preferred, part.text, sentence.from + part.from, 'check');
        optional.push({ from: sentence.from + part.from, to: sentence.from + part.from + part.text.length });
      }
  const plain = blanked(text, optional);
  for (const { value } of lists) add(required, plain.slice(value.from, value.to), value.from, 'sure');
  if (lists.length === 0 || required.size < 2) {
    for (const { value } of labelled(requirement, 'title', 'subject').slice(0, 1))
      add(required, value.text, value.from, 'check');
    add(required, blanked(free, optional), 0, 'check');
  }
  for (const name of required.keys()) preferred.delete(name);
  return {
    required: [...required.values()].slice(0, JOB_LIMITS.skills),
    preferred: [...preferred.values()].slice(0, JOB_LIMITS.skills),
  };
}

/** The part of a sentence that calls a skill optional: "Kafka is a plus" in "Java and Spring; Kafka is a plus". */
function optionalPart(sentence: string): { from: number; text: string } {
  let from = 0;
  for (const part of sentence.split(/([;|]|\.\s)/)) {
    if (OPTIONAL.test(part)) return { from, text: part };
    from += part.length;
  }
  return { from: 0, text: sentence };
}
