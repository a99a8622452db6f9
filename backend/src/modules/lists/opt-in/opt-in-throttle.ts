import type { RecentMail } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { MAX_OWN_ASKS_LATELY } from '../outreach/ask-records.service.js';

const PER_LIST_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
const PER_DAY = 3;

/**
 * When a mailbox may receive its next confirmation mail for a list. Limits: one in 10 minutes per list, three in 24
 * hours over all lists, whoever asks.
 * @param mails confirmation mails to the mailbox in the last 24 hours, newest first
 * @returns null if the mail may be sent now
 */
export function notBefore(mails: readonly RecentMail[], listId: string, now: Date): Date | null {
  const sameList = mails.find((mail) => mail.subjectId === listId);
  const limits = [
    sameList ? sameList.createdAt.getTime() + PER_LIST_MS : 0,
    mails.length >= PER_DAY ? mails[PER_DAY - 1]!.createdAt.getTime() + DAY_MS : 0,
  ];
  const time = Math.max(...limits);
  return time > now.getTime() ? new Date(time) : null;
}

/**
 * Limit of confirmation mails from one owner to one mailbox within 30 days, over all lists and including visitors'
 * requests.
 */
const MAX_ASKS_LATELY = 6;
const LATELY_MS = 30 * DAY_MS;

/** Times of an owner's confirmation mails to one mailbox within the last 30 days; each list is newest first. */
export interface OwnersAsks {
  /** Times of the mails to people whom the owner added. */
  own: readonly Date[];
  /** Times of all mails, including those that visitors requested. */
  all: readonly Date[];
}

/**
 * When an owner may ask a mailbox again. Limits: three times in 30 days over all lists, six including visitors'
 * requests. The limit does not harm visitors, because the link of the last mail works for 30 days.
 * @returns null if the owner may ask now
 */
export function notBeforeOfOwner({ own, all }: OwnersAsks, byVisitor: boolean, now: Date): Date | null {
  const limits = [byVisitor ? undefined : own[MAX_OWN_ASKS_LATELY - 1], all[MAX_ASKS_LATELY - 1]].map((ask) =>
    ask ? ask.getTime() + LATELY_MS : 0,
  );
  const time = Math.max(...limits);
  return time > now.getTime() ? new Date(time) : null;
}
