/** What a retry began. */
export class RetriedDto {
  /**
   * Recipients that are tried again; of very many those who left meanwhile are counted too.
   * @example 12
   */
  retried: number;
}
