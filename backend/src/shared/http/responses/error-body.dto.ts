import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

/** An invalid field. */
export class FieldFault {
  /**
   * Name of the field; nested names are joined by dots
   * @example "email"
   */
  field: string;

  /**
   * Readable explanation
   * @example "Please enter a valid email address"
   */
  message: string;
}

/** Body of every error response. */
export class ErrorBody {
  /**
   * The HTTP status
   * @example 400
   */
  statusCode: number;

  /**
   * Stable error code
   * @example "validation_failed"
   */
  code: string;

  /**
   * Readable text
   * @example "Please enter a valid email address"
   */
  message: string;

  /**
   * Equal to message
   * @example "Please enter a valid email address"
   */
  error: string;

  /** Invalid fields */
  details?: FieldFault[];
}

const TEXTS: Record<number, string> = {
  400: 'A field is missing or wrong',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found, or not yours',
  409: 'In conflict with what is there',
  410: 'Expired',
  412: 'Another version is there; details say which',
  413: 'The body is too large',
  415: 'A content type that is not taken here',
  422: 'The idempotency key belongs to another body',
  428: 'If-Match is missing',
  429: 'Too many requests, or over a limit; see Retry-After',
  502: 'The payment provider does not answer',
  503: 'Not available at the moment',
};

/** Adds error statuses of a handler to the OpenAPI document. All errors have the same body. */
export const ApiErrors = (...statuses: number[]) =>
  applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, description: TEXTS[status] ?? 'Error', type: ErrorBody })),
  );
