import type { SubscribeDto } from './dto/consent.dto.js';

/**
 * Whether a program filled in the form: it wrote into `homepage`, a honeypot field that people neither see nor reach. A call without it is a
 * program's on purpose, like any other call of the API, and is held by the request limits, the throttles and the double opt-in.
 */
export const isTrapped = ({ homepage }: Pick<SubscribeDto, 'homepage'>): boolean => Boolean(homepage);
