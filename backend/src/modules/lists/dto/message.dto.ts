/** A text for the person. */
export class MessageDto {
  /**
   * The text
   * @example 'Confirmation email sent'
   */
  message: string;
}
