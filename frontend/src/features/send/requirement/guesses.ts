import type { Confidence, GuessedPart, Requirement } from './api';

/** A part of a text: from its first character to behind its last. */
export interface Place {
  from: number;
  to: number;
}

/** What was read of one part of the job: as sure as the least sure of its values, with the places of all of them. */
export interface Guess {
  confidence: Confidence;
  places: readonly Place[];
}

/** The guesses of a requirement, by part. */
export function guessesOf({ guesses }: Pick<Requirement, 'guesses'>): ReadonlyMap<GuessedPart, Guess> {
  const found = new Map<GuessedPart, { confidence: Confidence; places: Place[] }>();
  for (const { field, confidence, from, to } of guesses) {
    const known = found.get(field) ?? { confidence: 'sure', places: [] };
    known.places.push({ from, to });
    if (confidence === 'check') known.confidence = confidence;
    found.set(field, known);
  }
  return found;
}
