/**
 * Today's use of a user's daily limit. History implements and exports this token (`{ provide: UsageCounter,
 * useExisting: … }`), because auth may not import history.
 */
export abstract class UsageCounter {
  /**
   * Sends accepted on the user's current day: the date in `timeZone` by the database's clock.
   * @param scope this account only, or all accounts that share its mailbox
   */
  abstract sentToday(userId: string, timeZone: string, scope?: 'account' | 'mailbox'): Promise<number>;

  /** Number of places of the same day that scheduled sends hold. */
  abstract heldToday(userId: string, timeZone: string, scope?: 'account' | 'mailbox'): Promise<number>;
}
