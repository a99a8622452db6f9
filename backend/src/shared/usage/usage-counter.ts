/**
 * How much of today's allowance a user has used. History keeps the count and provides this token; auth, which may not
 * import history, asks through it: `{ provide: UsageCounter, useExisting: … }` in the history module, exported.
 */
export abstract class UsageCounter {
  /** Sends accepted on the user's present day: the date in `timeZone` by the database's clock (decisions.md D11). */
  abstract sentToday(userId: string, timeZone: string): Promise<number>;
}
