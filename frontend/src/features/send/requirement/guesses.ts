import type { Confidence, GuessedPart, Requirement } from './api';

/** A range of a text: index of the first character, and index after the last one. */
export interface Place {
  from: number;
  to: number;
}

/**
 * What was read about one part of the job: the lowest certainty of its values, and the ranges of the text from which
 * they were read.
 */
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
