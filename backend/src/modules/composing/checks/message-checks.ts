import { bodyChecks } from './body-checks.js';
import type { CheckedMessage } from './checked-message.js';
import type { CheckItem } from './check-item.js';
import { type BodyText, documentText, plainText } from './document-text.js';
import { publicHosts } from './link-hosts.js';
import { linkChecks } from './link-items.js';
import { subjectChecks } from './subject-checks.js';
import { wordChecks } from './word-checks.js';

/**
 * Checks the texts of a message, in linear time. Each check yields its findings, or one item that says that it passed.
 */
export function checkMessage(message: CheckedMessage): CheckItem[] {
  const body = bodyOf(message);
  return [...linkChecks(body), ...bodyChecks(message, body), ...subjectChecks(message), ...wordChecks(message, body)];
}

/** Distinct host names of the message's web links, in order. */
export const webHostsOf = (message: CheckedMessage): string[] => publicHosts(bodyOf(message).links);

/** The body of a message as one text, from its document or its plain content. */
export const bodyOf = ({ document, content }: Pick<CheckedMessage, 'document' | 'content'>): BodyText =>
  document ? documentText(document) : plainText(content);
