import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { PROFILE_LENGTHS } from '../../contacts.constants.js';

const DEFAULT_COUNTRY = 'US';

/**
 * A phone number in E.164; null if it cannot be parsed.
 * @param country ISO code of the country of a number without a country prefix; an unsupported country counts as the
 * default
 */
export function phoneE164(typed: string | null | undefined, country?: string | null): string | null {
  if (!typed || typed.length > PROFILE_LENGTHS.phone) return null;
  const home = country && isSupportedCountry(country) ? country : DEFAULT_COUNTRY;
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: home, extract: false });
  return parsed?.isPossible() ? parsed.number : null;
}
