/** Progress of creating profiles for contacts that were added before profiles existed. */
export class PreparationDto {
  /**
   * Whether it still runs: contacts without a profile are missing from the results
   * @example false
   */
  preparing: boolean;

  /**
   * Prepared contacts
   * @example 412000
   */
  done: number;

  /**
   * All contacts to prepare
   * @example 1000000
   */
  total: number;
}
