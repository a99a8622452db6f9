import type { Confidence, Span } from '../requirement.js';

/** A value and where the flat text says it. */
export interface Found<T> extends Span {
  value: T;
  confidence: Confidence;
}

/** @returns the first that is there */
export function firstFound<T>(...readers: (() => Found<T> | null)[]): Found<T> | null {
  for (const read of readers) {
    const found = read();
    if (found) return found;
  }
  return null;
}
