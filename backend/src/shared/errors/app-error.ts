/** A field that is wrong, for `details` of the error body (decisions.md D30). */
export interface FieldError {
  field: string;
  message: string;
}

/** A fault with a stable code for programs and a sentence for people; the HTTP edge turns it into the error body. */
export class AppError extends Error {
  readonly details?: FieldError[];
  /** Answer headers, e.g. Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;

  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    extra: { details?: FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.details = extra.details;
    this.headers = extra.headers;
  }
}

/** The same answer for foreign, missing and malformed (decisions.md D8). */
export const notFound = (message = 'Not found'): AppError => new AppError('not_found', 404, message);
export const unauthorized = (message = 'Please sign in'): AppError => new AppError('unauthorized', 401, message);
export const forbidden = (message = 'You may not do this', code = 'forbidden'): AppError => new AppError(code, 403, message);
export const conflict = (code: string, message: string): AppError => new AppError(code, 409, message);

/** A field that is wrong beyond what its shape tells. */
export function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', 400, message, { details: [{ field, message }] });
}
