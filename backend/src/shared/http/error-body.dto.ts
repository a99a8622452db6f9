/** A field at fault. */
export class FieldFault {
  /**
   * Its name; nested ones with dots
   * @example "email"
   */
  field: string;

  /**
   * What is wrong, for people
   * @example "Please enter a valid email address"
   */
  message: string;
}

/** Every error's body (decisions.md D30). */
export class ErrorBody {
  /**
   * The HTTP status
   * @example 400
   */
  statusCode: number;

  /**
   * Stable, for programs
   * @example "validation_failed"
   */
  code: string;

  /**
   * For people
   * @example "Please enter a valid email address"
   */
  message: string;

  /**
   * Equal to message
   * @example "Please enter a valid email address"
   */
  error: string;

  /** The fields at fault */
  details?: FieldFault[];
}
