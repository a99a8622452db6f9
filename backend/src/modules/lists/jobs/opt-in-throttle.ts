import type { RecentMail } from '../../../shared/mail/system-mail-outbox.js';
import { MOST_OWN_ASKS_LATELY } from '../outreach/ask-records.service.js';

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

/** Asks of one mailbox by one owner (or the network) within 30 days, over all lists, visitors' requests included. */
const MOST_ASKS_LATELY = 6;
const LATELY_MS = 30 * DAY_MS;

/** When an owner asked a mailbox within the last 30 days, newest first. */
export interface OwnersAsks {
  /** Because the owner added the person. */
  own: readonly Date[];
  /** For any reason, visitors' requests on the owner's pages included. */
  all: readonly Date[];
}

/**
 * When an owner may ask a mailbox again, or null for now: three times in 30 days over all lists, six times together with what visitors
 * asked for. A visitor loses nothing by it: the link of the last mail works for 30 days.
 */
export function notBeforeOfOwner({ own, all }: OwnersAsks, byVisitor: boolean, now: Date): Date | null {
  const limits = [byVisitor ? undefined : own[MOST_OWN_ASKS_LATELY - 1], all[MOST_ASKS_LATELY - 1]].map((ask) => (ask ? ask.getTime() + LATELY_MS : 0));
  const time = Math.max(...limits);
  return time > now.getTime() ? new Date(time) : null;
}
