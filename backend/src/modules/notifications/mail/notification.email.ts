import type { SystemMailContent } from '../../../shared/mail/system-mail/system-mail-content.js';
import type { NotificationText } from '../notification-text.js';

/** Outbox kinds of notification mails. */
export const NOTIFICATION_MAIL = 'notifications.now';
export const SUMMARY_MAIL = 'notifications.summary';

/** Maximum number of lines in a summary. */
export const SUMMARY_LINES = 20;

const change = (url: string) => [{ label: 'Change what we mail you', url }];

/**
 * Mail about one notification. The subject contains no text that the account wrote, and so no name of a contact or
 * candidate.
 */
export function notificationMail(
  { text, detail, url }: NotificationText,
  { appUrl, settingsUrl }: { appUrl: string; settingsUrl: string },
): SystemMailContent {
  return {
    subject: text,
    heading: text,
    paragraphs: detail ? [detail] : [],
    action: { label: 'Open in Staffcast', url: `${appUrl}${url}` },
    secondary: change(settingsUrl),
  };
}

/** The daily summary. @param more number of unread notifications beyond the given lines */
export function summaryMail(
  lines: readonly NotificationText[],
  more: number,
  { appUrl, settingsUrl }: { appUrl: string; settingsUrl: string },
): SystemMailContent {
  return {
    subject: 'Your Staffcast day',
    heading: 'Your Staffcast day',
    paragraphs: [
      ...lines.map(({ text, detail }) => (detail ? `${text} · ${detail}` : text)),
      ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more.`] : []),
    ],
    action: { label: 'See all', url: `${appUrl}/notifications` },
    secondary: change(settingsUrl),
  };
}
