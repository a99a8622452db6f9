/**
 * How much of today's allowance a user has used. History keeps the count and provides this token; auth, which may not
 * import history, asks through it: `{ provide: UsageCounter, useExisting: … }` in the history module, exported.
 */
export abstract class UsageCounter {
  /**
   * Sends accepted on the user's present day: the date in `timeZone` by the database's clock.
   * @param scope the account's own, or those of all accounts that share its mailbox
   */
  abstract sentToday(userId: string, timeZone: string, scope?: 'account' | 'mailbox'): Promise<number>;
}
