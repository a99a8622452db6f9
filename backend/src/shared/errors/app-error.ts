/** An invalid field, for `details` of the error body. */
export interface FieldError {
  field: string;
  message: string;
}

/** An error with a stable code for programs and a sentence for people. ErrorFilter turns it into the response. */
export class AppError extends Error {
  /** The invalid fields, or named facts that the client needs to continue. */
  readonly details?: FieldError[] | Readonly<Record<string, unknown>>;
  /** Response headers such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;

  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    extra: {
      details?: FieldError[] | Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.details = extra.details;
    this.headers = extra.headers;
  }
}

/**
 * 404 for objects that are missing, belong to someone else or have a malformed id. The responses must be
 * indistinguishable.
 */
export const notFound = (message = 'Not found'): AppError => new AppError('not_found', 404, message);
export const unauthorized = (message = 'Please sign in'): AppError => new AppError('unauthorized', 401, message);
export const forbidden = (message = 'You may not do this', code = 'forbidden'): AppError =>
  new AppError(code, 403, message);
export const conflict = (code: string, message: string): AppError => new AppError(code, 409, message);

/** 400 for a field whose value passed validation but is invalid for another reason. */
export function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', 400, message, { details: [{ field, message }] });
}
