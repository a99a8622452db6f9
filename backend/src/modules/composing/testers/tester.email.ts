import { PRODUCT_NAME } from '../../../shared/enums.js';
import type { SystemMailContent } from '../../../shared/mail/system-mail/system-mail-content.js';
import { withoutContactDetails } from '../../../shared/text/contact-free-text.js';

/**
 * Asks a person to become a tester. The account's address is always shown; its name is written so that mail programs do
 * not turn it into a link.
 */
export function testerMail(
  url: string,
  account: { name: string; email: string },
  postalAddress: string,
): SystemMailContent {
  const name = withoutContactDetails(account.name);
  const line = `${name} wants to send you tests of emails before they go out`;
  return {
    subject: line,
    heading: line,
    paragraphs: [
      `${name} (${account.email}) writes emails with ${PRODUCT_NAME} and would like you to see them first.`,
      'Ignore this and nothing will come.',
    ],
    action: { label: 'Confirm', url },
    after: ['The link works for 30 days.'],
    footer: [
      `You get this email because ${name} entered your address on ${PRODUCT_NAME}.`,
      ...(postalAddress ? [`${PRODUCT_NAME}, ${postalAddress}`] : []),
    ],
  };
}
