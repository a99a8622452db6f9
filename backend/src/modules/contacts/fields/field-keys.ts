import { fieldKey } from '../../../shared/merge-tags/values.js';
import { BUILT_IN_KEYS } from '../contacts.constants.js';

/** Pattern of a field's key; merge tags use the same pattern. */
export const FIELD_KEY = /^[a-z][a-z0-9_]{0,39}$/;
const MAX_KEY_LENGTH = 40;

/**
 * Makes a key from the letters and digits of a label, or `field` if there are none. Never returns the name of a
 * built-in part of a profile.
 */
export function keyOfLabel(label: string): string {
  const plain = fieldKey(label)
    .slice(0, MAX_KEY_LENGTH - 2)
    .replace(/_$/, '');
  const lettered = plain === '' ? 'field' : /^[a-z]/.test(plain) ? plain : `f_${plain}`.slice(0, MAX_KEY_LENGTH - 2);
  return BUILT_IN_KEYS.has(lettered) ? `${lettered}_2` : lettered;
}
