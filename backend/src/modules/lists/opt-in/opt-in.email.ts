import type { SystemMailContent } from '../../../shared/mail/system-mail/system-mail-content.js';
import { withoutContactDetails, quoted } from '../../../shared/text/contact-free-text.js';
import { type ContactType, PRODUCT_NAME } from '../../../shared/enums.js';
import type { ContactSource } from '../entities/contact.entity.js';

export interface OptInMail {
  url: string;
  neverAskUrl: string;
  list: { name: string; ownerName: string | null; agencyName: string | null };
  /** Account of the list's owner; null for the default list. */
  account: { name: string; email: string } | null;
  source: ContactSource;
  type: ContactType;
  postalAddress: string;
}

const CONTENT_OF_TYPE: Record<ContactType, string> = {
  'job-posts': 'job posts',
  'candidate-lists': 'lists of available candidates',
};

/**
 * Confirmation mail to a person who may never have heard of the list. The subject is fixed, user text is quoted and
 * made unclickable, and the account's name and address are always shown.
 * A changed text needs a raised `WORDING_VERSION` (unsubscribe/consent-log.ts), which the consent log stores.
 */
export function optInMail({
  url,
  neverAskUrl,
  list,
  account,
  source,
  type,
  postalAddress,
}: OptInMail): SystemMailContent {
  const sender = account ? `${withoutContactDetails(account.name)} (${account.email})` : `the ${PRODUCT_NAME} network`;
  return {
    subject: 'Confirm your subscription',
    heading: 'One click and you are subscribed',
    paragraphs: [
      source === 'public'
        ? `This address was entered on a ${PRODUCT_NAME} page to receive ${CONTENT_OF_TYPE[type]} by email from ${sender}.`
        : `${account ? sender : `The ${PRODUCT_NAME} network`} would like to send you ${CONTENT_OF_TYPE[type]} by email and added this address to a list.`,
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

/** Sender names that the owner entered for the list. */
function signed({ ownerName, agencyName }: OptInMail['list']): string {
  const names = [ownerName, agencyName].flatMap((name) => (name ? [quoted(name)] : []));
  return names.length > 0 ? ` and signed ${names.join(', ')}` : '';
}
