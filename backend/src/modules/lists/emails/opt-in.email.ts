import type { SystemMailContent } from '../../../shared/mail/system-mail-content.js';
import { defused, quoted } from '../../../shared/text/quoted.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { PRODUCT_NAME } from '../../../shared/words/product.js';
import type { ContactSource } from '../entities/contact.entity.js';

export interface OptInMail {
  url: string;
  neverAskUrl: string;
  list: { name: string; ownerName: string | null; agencyName: string | null };
  /** The account behind the list; null: the network, which is ours. */
  account: { name: string; email: string } | null;
  source: ContactSource;
  type: ContactType;
  postalAddress: string;
}

const WHAT: Record<ContactType, string> = { 'job-posts': 'job posts', 'candidate-lists': 'lists of available candidates' };

/**
 * Asks an address whether it wants to be on a list. The reader may never have heard of any of this: the subject is ours alone, what people
 * typed stands in quotation marks with nothing in it to click or call, and the account's own name and address are always said.
 */
export function optInMail({ url, neverAskUrl, list, account, source, type, postalAddress }: OptInMail): SystemMailContent {
  const sender = account ? `${defused(account.name)} (${account.email})` : `the ${PRODUCT_NAME} network`;
  return {
    subject: 'Confirm your subscription',
    heading: 'One click and you are subscribed',
    paragraphs: [
      source === 'public'
        ? `This address was entered on a ${PRODUCT_NAME} page to receive ${WHAT[type]} by email from ${sender}.`
        : `${account ? sender : `The ${PRODUCT_NAME} network`} would like to send you ${WHAT[type]} by email and added this address to a list.`,
      `The list is called ${quoted(list.name)}${signed(list)}.`,
      'Nothing is sent to you unless you confirm.',
    ],
    action: { label: 'Confirm subscription', url },
    after: ['The link works for 30 days. If you do not want this, do nothing: you will not hear from this list.'],
    secondary: [{ label: 'Never ask me again', url: neverAskUrl }],
    footer: [
      `You get this email because ${source === 'public' ? 'somebody entered your address on a subscribe page' : 'your address was added to a list'} on ${PRODUCT_NAME}.`,
      ...(postalAddress ? [`${PRODUCT_NAME}, ${postalAddress}`] : []),
    ],
  };
}

/** Whom the list itself names, in its owner's words. */
function signed({ ownerName, agencyName }: OptInMail['list']): string {
  const names = [ownerName, agencyName].flatMap((name) => (name ? [quoted(name)] : []));
  return names.length > 0 ? ` and signed ${names.join(', ')}` : '';
}
