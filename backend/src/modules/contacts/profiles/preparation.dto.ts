/** How many of the contacts that were there before there were profiles have one. */
export class PreparationDto {
  /**
   * Whether contacts are still being prepared: the others are missing here
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
