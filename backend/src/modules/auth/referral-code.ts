import { randomInt } from 'node:crypto';

/** Without the letters and digits that people mix up. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 10;

/** A user's own code for /invite/{code}: 50 random bits. */
export const mintReferralCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
