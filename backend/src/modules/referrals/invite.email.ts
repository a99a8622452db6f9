import type { SystemMailContent } from '../../shared/mail/system-mail/system-mail-content.js';
import { withoutContactDetails } from '../../shared/text/contact-free-text.js';
import { PRODUCT_NAME } from '../../shared/enums.js';

export interface InviteMail {
  url: string;
  optOutUrl: string;
  inviter: { name: string; email: string; agencyName: string | null };
  postalAddress: string;
}

/**
 * Invitation mail to a stranger: sent once, with an opt-out link. The subject is fixed, and user text in the body is
 * made unclickable.
 */
export function inviteMail({ url, optOutUrl, inviter, postalAddress }: InviteMail): SystemMailContent {
  const name = withoutContactDetails(inviter.name);
  const who = inviter.agencyName ? `${name} of ${withoutContactDetails(inviter.agencyName)}` : name;
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
    footer: [
      `You get this email because ${name} entered your address on ${PRODUCT_NAME}.`,
      ...(postalAddress ? [`${PRODUCT_NAME}, ${postalAddress}`] : []),
    ],
  };
}
