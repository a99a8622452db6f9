import type { RecentMail } from '../../../shared/mail/system-mail-outbox.js';

const PER_LIST_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
const PER_DAY = 3;

/**
 * When a mailbox may get its next confirmation mail about a list, or null for now: one in 10 minutes per list, three in 24 hours over all
 * lists, whoever asks for them.
 * @param mails of the mailbox in the last 24 hours, newest first
 */
export function notBefore(mails: readonly RecentMail[], listId: string, now: Date): Date | null {
  const sameList = mails.find((mail) => mail.subjectId === listId);
  const limits = [sameList ? sameList.createdAt.getTime() + PER_LIST_MS : 0, mails.length >= PER_DAY ? mails[PER_DAY - 1]!.createdAt.getTime() + DAY_MS : 0];
  const time = Math.max(...limits);
  return time > now.getTime() ? new Date(time) : null;
}
