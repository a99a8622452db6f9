/** A short answer. */
export class MessageDto {
  /**
   * For people
   * @example "You have been logged out successfully"
   */
  message: string;
}
