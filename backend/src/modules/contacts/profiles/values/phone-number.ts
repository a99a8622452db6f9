import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { PROFILE_LENGTHS } from '../../contacts.constants.js';

const DEFAULT_COUNTRY = 'US';

/**
 * Converts a phone number to E.164.
 * @param country ISO code of the country of a number without a country prefix; an unsupported country counts as the
 * default
 * @returns null if the number cannot be parsed
 */
export function phoneE164(typed: string | null | undefined, country?: string | null): string | null {
  if (!typed || typed.length > PROFILE_LENGTHS.phone) return null;
  const home = country && isSupportedCountry(country) ? country : DEFAULT_COUNTRY;
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: home, extract: false });
  return parsed?.isPossible() ? parsed.number : null;
}
