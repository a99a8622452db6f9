import { randomInt } from 'node:crypto';
import { hashToken, isTokenShaped } from '../../shared/tokens/tokens.js';

/** Without the letters and digits that people mix up. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 10;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A user's own code for /invite/{code}: 50 random bits. */
export const mintReferralCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A reference as it is kept: a user's code, or the hash of an invite's token; null for what can be neither. */
export function referralKey(ref: unknown): string | null {
  if (isTokenShaped(ref)) return hashToken(ref);
  const code = typeof ref === 'string' ? ref.trim().toUpperCase() : '';
  return CODE.test(code) ? code : null;
}
