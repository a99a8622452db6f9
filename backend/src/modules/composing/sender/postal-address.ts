import { validationFailed } from '../../../shared/http/index.js';

/** A business address as entered. */
export interface PostalAddress {
  addressLine1: string | null;
  addressLine2: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
}

/**
 * Checks that an address is either absent or complete enough for postal mail.
 * @throws 400 with every missing field
 */
export function assertWhole(address: PostalAddress): void {
  const { addressLine1, addressLine2, city, region, postalCode, country } = address;
  if (!addressLine1 && !addressLine2 && !city && !region && !postalCode && !country) return;
  const faults = [
    ...(addressLine1 ? [] : [{ field: 'addressLine1', message: 'Street address is required' }]),
    ...(city ? [] : [{ field: 'city', message: 'City is required' }]),
    ...(region || country ? [] : [{ field: 'region', message: 'State or country is required' }]),
    ...(postalCode ? [] : [{ field: 'postalCode', message: 'Postal code is required' }]),
  ];
  if (faults.length > 0) throw validationFailed(faults);
}

/**
 * The address on one line, such as "12 Main Street, Hartford, CT 06103, USA".
 * @returns null if there is no address
 */
export function addressLine(address: PostalAddress): string | null {
  const { addressLine1, addressLine2, city, region, postalCode, country } = address;
  if (!addressLine1) return null;
  const place = [region, postalCode].filter(Boolean).join(' ');
  return [addressLine1, addressLine2, city, place, country].filter(Boolean).join(', ');
}
