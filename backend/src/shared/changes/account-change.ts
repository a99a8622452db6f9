/**
 * Kinds of change that a screen follows. `progress`: the counts of a running send. `send`: a send began, ended, was
 * paused, cancelled or reported on. `profile`: a contact over all lists, or its notes. `bulk`: progress of a bulk
 * change. `schedule`: a scheduled send was created, changed, cancelled, or has left. `rules`: do-not-send rules, or the
 * details of companies. `file`: an uploaded file was added, scanned, renamed, replaced, reported or deleted.
 * `notification`: one was written or read, or its settings changed. `mail-account`: settings or health of a mail
 * account, sent to admins. `admin`: data of any account, sent to admins; its ids are the kinds of what changed.
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

/** A change without its content: the client fetches the changed thing again. */
export interface AccountChange {
  /** Null for data that belongs to no single account, such as the default list. */
  accountId: string | null;
  kind: ChangeKind;
  /**
   * Id of the list, profile, bulk change, import, file, send or mail account; null for kinds of which an account has
   * only one.
   */
  id: string | null;
}

const KINDS = new Set<string>(CHANGE_KINDS);
const orNull = (text: string | undefined): string | null => (text === undefined || text === '-' ? null : text);

/** Parses a notification payload; undefined for a kind that this version does not know. */
export function readChange(payload: string): AccountChange | undefined {
  const [account, kind, id] = payload.split(' ');
  return kind !== undefined && KINDS.has(kind)
    ? { accountId: orNull(account), kind: kind as ChangeKind, id: orNull(id) }
    : undefined;
}
