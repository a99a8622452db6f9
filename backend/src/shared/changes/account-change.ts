/**
 * What of an account can change under a screen. `progress`: the counts of a running send moved; `send`: a send began, ended, was stopped or
 * reported on; `admin`: something of any account changed, told to admins.
 */
export const CHANGE_KINDS = ['me', 'session', 'list', 'contacts', 'import', 'send', 'progress', 'usage', 'plan', 'referral', 'admin'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change without its content: whoever shows the thing asks for it again. */
export interface AccountChange {
  /** Null: of no single account, such as the network's list. */
  accountId: string | null;
  kind: ChangeKind;
  /** The list, import or send; null where the account has only one of it. */
  id: string | null;
}

const KINDS = new Set<string>(CHANGE_KINDS);
const orNull = (text: string | undefined): string | null => (text === undefined || text === '-' ? null : text);

/** Reads a notification of the database; undefined: unknown to this version. */
export function readChange(payload: string): AccountChange | undefined {
  const [account, kind, id] = payload.split(' ');
  return kind !== undefined && KINDS.has(kind) ? { accountId: orNull(account), kind: kind as ChangeKind, id: orNull(id) } : undefined;
}
