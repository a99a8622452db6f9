import type { SystemMailContent } from '../../../shared/mail/system-mail-content.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { PRODUCT_NAME } from '../../../shared/words/product.js';
import type { ContactSource } from '../entities/contact.entity.js';

export interface OptInMail {
  url: string;
  listName: string;
  /** Who the list is from, as its public page says. */
  from: string;
  source: ContactSource;
  type: ContactType;
}

const WHAT: Record<ContactType, string> = { 'job-posts': 'job posts', 'candidate-lists': 'lists of available candidates' };

/** Asks an address whether it wants to be on a list. */
export function optInMail({ url, listName, from, source, type }: OptInMail): SystemMailContent {
  const why =
    source === 'public'
      ? `This address was entered on a ${PRODUCT_NAME} page to receive ${WHAT[type]} from ${from} (list "${listName}").`
      : `${from} would like to send you ${WHAT[type]} by email and added this address to the list "${listName}".`;
  return {
    subject: `Confirm your subscription to ${listName}`,
    heading: 'One click and you are subscribed',
    paragraphs: [why, 'Nothing is sent to you unless you confirm.'],
    action: { label: 'Confirm subscription', url },
    after: ['The link works for 30 days. If you do not want this, do nothing: you will not hear from this list.'],
  };
}
