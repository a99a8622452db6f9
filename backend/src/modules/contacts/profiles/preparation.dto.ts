/** Progress of creating profiles for contacts that were added before profiles existed. */
export class PreparationDto {
  /**
   * Whether the preparation is running; until it ends, contacts without a profile are missing from results
   * @example false
   */
  preparing: boolean;

  /**
   * Number of prepared contacts
   * @example 412000
   */
  done: number;

  /**
   * Number of all contacts to prepare
   * @example 1000000
   */
  total: number;
}
