import type { Requirement } from './requirement.js';

/** Reads the jobs that a text asks for. */
export function readRequirements(_text: string): Requirement[] {
  return [];
}
