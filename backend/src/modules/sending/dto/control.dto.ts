/** What a retry began. */
export class RetriedDto {
  /**
   * Recipients that are tried again.
   * @example 12
   */
  retried: number;
}
