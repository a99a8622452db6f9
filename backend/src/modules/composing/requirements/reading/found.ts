import type { Confidence, Span } from '../requirement.js';

/** A value, with its offsets in the flat text. */
export interface Found<T> extends Span {
  value: T;
  confidence: Confidence;
}

/**
 * Calls the readers in order until one finds a value.
 * @returns the first result that is not null; null if no reader finds a value
 */
export function firstFound<T>(...readers: (() => Found<T> | null)[]): Found<T> | null {
  for (const read of readers) {
    const found = read();
    if (found) return found;
  }
  return null;
}
