import { fieldKey } from '../../../shared/merge-tags/values.js';
import { BUILT_IN_KEYS } from '../contacts.constants.js';

/** Also the pattern of a field's name in merge tags. */
export const FIELD_KEY = /^[a-z][a-z0-9_]{0,39}$/;
const MAX_KEY_LENGTH = 40;

/** Makes a key from a label: its letters and digits, `field` if there are none. Never the name of a built-in part. */
export function keyOfLabel(label: string): string {
  const plain = fieldKey(label)
    .slice(0, MAX_KEY_LENGTH - 2)
    .replace(/_$/, '');
  const lettered = plain === '' ? 'field' : /^[a-z]/.test(plain) ? plain : `f_${plain}`.slice(0, MAX_KEY_LENGTH - 2);
  return BUILT_IN_KEYS.has(lettered) ? `${lettered}_2` : lettered;
}
