import type { SendType } from './send-type.js';

/** What a contact agreed to receive (product.md §9, subscription types). */
export const CONTACT_TYPES = ['job-posts', 'candidate-lists'] as const;
export type ContactType = (typeof CONTACT_TYPES)[number];

/** The contact type that receives a send type (decisions.md D19). */
export const CONTACT_TYPE_OF_SEND: Record<SendType, ContactType> = {
  'job-post': 'job-posts',
  'candidate-list': 'candidate-lists',
};
