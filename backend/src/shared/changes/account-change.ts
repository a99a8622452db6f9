/**
 * Kinds of change that screens follow. `progress`: the counts of a running send changed. `send`: a send began, ended,
 * was paused, cancelled or deleted, or a bounce, complaint or unsubscribe was recorded for it. `profile`: a contact
 * changed on any list, or its notes. `bulk`: progress of a bulk change. `schedule`: a scheduled send was created,
 * changed or cancelled, or has left. `rules`: do-not-send rules or details of companies changed. `file`: an uploaded
 * file was added, scanned, renamed, replaced, reported or deleted. `notification`: a notification was written or read,
 * or the settings for notifications changed. `mail-account`: settings or health of a mail account, for admins only.
 * `admin`: data of any account, for admins only; its ids are the kinds of the changes.
 */
export const CHANGE_KINDS = [
  'me',
  'session',
  'list',
  'contacts',
  'profile',
  'bulk',
  'rules',
  'import',
  'file',
  'send',
  'schedule',
  'progress',
  'usage',
  'plan',
  'referral',
  'notification',
  'mail-account',
  'admin',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change without its content: the client loads the changed object again. */
export interface AccountChange {
  /** Null for data that belongs to no single account, such as the default list. */
  accountId: string | null;
  kind: ChangeKind;
  /**
   * Id of the list, profile, bulk change, import, file, send or mail account; null for a kind with only one object per
   * account.
   */
  id: string | null;
}

const KINDS = new Set<string>(CHANGE_KINDS);
const orNull = (text: string | undefined): string | null => (text === undefined || text === '-' ? null : text);

/**
 * Parses the payload of a PostgreSQL notification.
 * @returns undefined for a kind that this version does not know
 */
export function readChange(payload: string): AccountChange | undefined {
  const [account, kind, id] = payload.split(' ');
  return kind !== undefined && KINDS.has(kind)
    ? { accountId: orNull(account), kind: kind as ChangeKind, id: orNull(id) }
    : undefined;
}
