import { parseAddress } from '../../../../shared/mail/address.js';
import { phoneE164 } from '../../../contacts/index.js';
import { readAddressCell } from './address-cell.js';
import { dateValue } from './date-value.js';
import { isUsState } from './us-states.js';

export type ColumnContent = 'address' | 'phone' | 'date' | 'state' | 'text';

/** Minimum share of a column's values that must be of one kind. */
const MIN_SHARE_OF_KIND = 0.6;

/** Kind of most values of a column. @returns null for an empty column */
export function contentOf(values: readonly string[]): ColumnContent | null {
  const given = values.filter(Boolean);
  if (given.length === 0) return null;
  const are = (test: (value: string) => boolean) => areMost(given, test);
  if (are((value) => value.includes('@') && parseAddress(readAddressCell(value).address) !== null)) return 'address';
  if (are((value) => dateValue(value, null) !== null)) return 'date';
  if (are(isUsState)) return 'state';
  if (are((value) => value.replace(/\D/g, '').length >= 10 && phoneE164(value) !== null)) return 'phone';
  return 'text';
}

/**
 * Whether a share of MIN_SHARE_OF_KIND of the values passes the test. Stops as soon as the share is reached or can no
 * longer be reached.
 */
function areMost(values: readonly string[], test: (value: string) => boolean): boolean {
  const wanted = values.length * MIN_SHARE_OF_KIND;
  let passed = 0;
  for (const [tested, value] of values.entries()) {
    if (passed >= wanted || passed + values.length - tested < wanted) break;
    if (test(value)) passed += 1;
  }
  return passed >= wanted;
}
