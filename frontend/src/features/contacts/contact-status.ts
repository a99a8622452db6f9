import type { StatusName } from '../../ui/tones';
import type { Contact } from './api';

/** What a contact's row says: suppression outweighs confirmation. */
export const contactStatus = (contact: Pick<Contact, 'confirmed' | 'suppressed'>): StatusName =>
  contact.suppressed ?? (contact.confirmed ? 'confirmed' : 'pending');

/** Only a pending contact can be sent the confirmation again. */
export const mayResend = (contact: Contact) => !contact.confirmed && !contact.suppressed;
