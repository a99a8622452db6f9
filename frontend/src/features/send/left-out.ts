import { plural } from '../../lib/format';
import type { SendPreview } from './api';

/** '31 not confirmed yet, 4 subscribed to the other type, ...'; empty when nobody is left out. */
export function leftOut(excluded: SendPreview['excluded']): string {
  return [
    excluded.pending && `${plural(excluded.pending, 'contact')} not confirmed yet`,
    excluded.otherType && `${plural(excluded.otherType, 'contact')} who subscribed to the other type`,
    excluded.suppressed && `${plural(excluded.suppressed, 'address', 'addresses')} that unsubscribed or bounced`,
    excluded.duplicates && `${plural(excluded.duplicates, 'duplicate')} on more than one list`,
  ]
    .filter(Boolean)
    .join(', ');
}
