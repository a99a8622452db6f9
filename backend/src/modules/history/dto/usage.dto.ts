/** What the signed-in user has sent today, by their own time zone. */
export class UsageTodayDto {
  /**
   * Sends of today, as a numeric string.
   * @example '1'
   */
  emailsSent: string;
}
