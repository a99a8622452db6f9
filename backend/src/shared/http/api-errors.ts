import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorBody } from './error-body.dto.js';

const TEXTS: Record<number, string> = {
  400: 'A field is missing or wrong',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found, or not yours',
  409: 'In conflict with what is there',
  410: 'Expired',
  413: 'The body is too large',
  415: 'A content type that is not taken here',
  422: 'The idempotency key belongs to another body',
  429: 'Too many requests, or over a limit; see Retry-After',
  502: 'The payment provider does not answer',
  503: 'Not available at the moment',
};

/** Documents the errors a handler may answer with; all have the same body. */
export const ApiErrors = (...statuses: number[]) =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, description: TEXTS[status] ?? 'Error', type: ErrorBody })));
