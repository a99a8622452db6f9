import { plural } from '../../../lib/format';
import type { SendPreview } from '../api';

/** '31 not confirmed yet, 4 subscribed to the other type, ...'; empty if no contact is excluded. */
export function exclusionText(excluded: Partial<SendPreview['excluded']>): string {
  return [
    excluded.pending && `${plural(excluded.pending, 'contact')} not confirmed yet`,
    excluded.otherType && `${plural(excluded.otherType, 'contact')} who subscribed to the other type`,
    excluded.suppressed && `${plural(excluded.suppressed, 'address', 'addresses')} that unsubscribed or bounced`,
    excluded.doNotSend && `${plural(excluded.doNotSend, 'address', 'addresses')} on your do-not-send list`,
    excluded.excludedList && `${plural(excluded.excludedList, 'person', 'people')} on a list you left out`,
    excluded.excludedSegment && `${plural(excluded.excludedSegment, 'person', 'people')} in a segment you left out`,
    excluded.excludedHere && `${plural(excluded.excludedHere, 'person', 'people')} left out of this email`,
    excluded.companyCap && `${plural(excluded.companyCap, 'person', 'people')} at companies where enough others get it`,
    excluded.duplicates && `${plural(excluded.duplicates, 'duplicate')} on more than one list`,
  ]
    .filter(Boolean)
    .join(', ');
}
