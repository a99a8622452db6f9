/** A short confirmation. */
export class MessageDto {
  /**
   * Readable text
   * @example "You have been logged out successfully"
   */
  message: string;
}
