import type { SystemMailContent } from '../../../shared/mail/system-mail-content.js';
import { defused } from '../../../shared/text/quoted.js';
import { PRODUCT_NAME } from '../../../shared/words/product.js';

export interface InviteMail {
  url: string;
  optOutUrl: string;
  inviter: { name: string; email: string; agencyName: string | null };
  postalAddress: string;
}

/** A user invites an address; sent once, with a way never to get another. The subject is ours alone, and what people typed holds nothing to click or call. */
export function inviteMail({ url, optOutUrl, inviter, postalAddress }: InviteMail): SystemMailContent {
  const name = defused(inviter.name);
  const who = inviter.agencyName ? `${name} of ${defused(inviter.agencyName)}` : name;
  return {
    subject: `A colleague invites you to ${PRODUCT_NAME}`,
    heading: `A colleague invites you to ${PRODUCT_NAME}`,
    paragraphs: [
      `${who} (${inviter.email}) uses ${PRODUCT_NAME} to send job posts and candidate lists to people who asked for them, and invites you to try it.`,
      'An account is free. The link works for 30 days.',
    ],
    action: { label: 'Accept the invite', url },
    after: ['If you do nothing, nothing happens: no account is made and no reminder follows.'],
    secondary: [{ label: `Never get an invite to ${PRODUCT_NAME} again`, url: optOutUrl }],
    footer: [`You get this email because ${name} entered your address on ${PRODUCT_NAME}.`, ...(postalAddress ? [`${PRODUCT_NAME}, ${postalAddress}`] : [])],
  };
}
