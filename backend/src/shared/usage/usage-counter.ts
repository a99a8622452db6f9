/**
 * Counts today's use of a user's daily limit. The history module implements this class (`{ provide: UsageCounter,
 * useExisting: … }`), because auth must not import history.
 */
export abstract class UsageCounter {
  /**
   * Number of sends that were accepted on the user's current day. The day is the date in `timeZone`, by the database's
   * clock.
   * @param scope `account`: this account only; `mailbox`: all accounts that share its mailbox
   */
  abstract sentToday(userId: string, timeZone: string, scope?: 'account' | 'mailbox'): Promise<number>;

  /** Number of sends of the same day's limit that are reserved for scheduled sends. */
  abstract heldToday(userId: string, timeZone: string, scope?: 'account' | 'mailbox'): Promise<number>;
}
