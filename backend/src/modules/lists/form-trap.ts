import type { SubscribeDto } from './dto/consent.dto.js';

/** Nobody reads a form, types an address and sends it within a second. */
const FASTEST_MS = 1000;

/**
 * Whether a program filled in the form: it wrote into the field that people neither see nor reach, or was faster than any
 * hand. Both are what the page itself says of how it was filled in; a call without them is a program's on purpose, like any
 * other call of the API, and is held by the request limits and the double opt-in. Nothing is signed: who can forge it can leave it out.
 */
export const isTrapped = ({ homepage, filledInMs }: Pick<SubscribeDto, 'homepage' | 'filledInMs'>): boolean =>
  Boolean(homepage) || (typeof filledInMs === 'number' && filledInMs < FASTEST_MS);
