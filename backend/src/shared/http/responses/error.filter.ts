import { ForeignKeyConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../../errors/app-error.js';
import type { ErrorBody } from './error-body.dto.js';
import type { WebApp } from '../pages/web-app.js';

interface Answer {
  status: number;
  code: string;
  message: string;
  details?: AppError['details'];
  headers?: Readonly<Record<string, string>>;
}

const BLANK: Answer = {
  status: 500,
  code: 'internal_error',
  message: 'Something went wrong on our side. Please try again.',
};

const OF_STATUS: Record<number, [code: string, message: string]> = {
  400: ['bad_request', 'The request could not be read'],
  401: ['unauthorized', 'You are not signed in'],
  403: ['forbidden', 'You are not allowed to do this'],
  404: ['not_found', 'Not found'],
  405: ['method_not_allowed', 'This method is not allowed here'],
  406: ['not_acceptable', 'This kind of answer is not available here'],
  408: ['request_timeout', 'The request took too long'],
  409: ['conflict', 'This was changed in the meantime. Please look again.'],
  413: ['payload_too_large', 'The request is too large'],
  412: ['precondition_failed', 'This was changed in the meantime. Please look again.'],
  415: ['unsupported_media_type', 'This kind of content is not taken here'],
  429: ['rate_limited', 'Too many requests. Please try again later.'],
  503: ['unavailable', 'Not available at the moment. Please try again.'],
};

/**
 * Turns every thrown error into the API's error body. An unexpected error becomes a 500 without details and is logged.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Error');

  constructor(private readonly webApp?: WebApp) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<Request>();
    if (this.webApp && isPage(error, req)) return this.webApp.send(req, http.getResponse<Response>());
    const answer = answerOf(error);
    if (answer.status >= 500 && !(error instanceof AppError)) this.log(error, req);
    if (isLostRace(error))
      this.logger.warn(
        { err: error, code: 'change_lost_race', route: req.route?.path ?? 'none' },
        'A change conflicted with a concurrent one',
      );
    sendError(http.getResponse<Response>(), answer);
  }

  private log(error: unknown, req: Request): void {
    this.logger.error(
      { err: error, code: 'unforeseen_error', method: req.method, route: req.route?.path ?? 'none' },
      'Unexpected error',
    );
  }
}

/** Whether a missing path belongs to the web app and not to the API. */
function isPage(error: unknown, req: Request): boolean {
  return error instanceof NotFoundException && /^(GET|HEAD)$/.test(req.method) && !/^\/api(\/|$)/i.test(req.path);
}

/** Sends the error body. If the response has already started, destroys its connection instead. */
export function sendError(res: Response, { status, code, message, details, headers }: Answer): void {
  if (res.headersSent) return void res.destroy();
  const isGiven = Array.isArray(details) ? details.length > 0 : details !== undefined;
  const body: Omit<ErrorBody, 'details'> & Pick<Answer, 'details'> = {
    statusCode: status,
    code,
    message,
    error: message,
    ...(isGiven && { details }),
  };
  res
    .status(status)
    .set(headers ?? {})
    .json(body);
}

/** The error body for an HTTP status, for errors that have no text of their own. */
export function answerOfStatus(status: number): Answer {
  const [code, message] = OF_STATUS[status] ?? [`http_${status}`, 'The request could not be answered'];
  return { status, code, message };
}

/** The error body for any thrown value. */
export function answerOf(error: unknown): Answer {
  if (error instanceof AppError) {
    return {
      status: error.status,
      code: error.code,
      message: error.message,
      details: error.details,
      headers: error.headers,
    };
  }
  if (error instanceof HttpException)
    return error.getStatus() < 500 || error.getStatus() === 503 ? answerOfStatus(error.getStatus()) : BLANK;
  // A constraint violation is a lost race: the referenced row was deleted, or the same row was inserted concurrently.
  if (isLostRace(error)) return answerOfStatus(error instanceof UniqueConstraintViolationException ? 409 : 404);
  const status = clientFaultOf(error);
  if (status) return answerOfStatus(status);
  return isOutage(error) ? { ...answerOfStatus(503), headers: { 'Retry-After': '5' } } : BLANK;
}

const isLostRace = (error: unknown): boolean =>
  error instanceof ForeignKeyConstraintViolationException || error instanceof UniqueConstraintViolationException;

/**
 * The 4xx status of an error of body parsers, multer or express.
 * @returns undefined for other errors
 */
function clientFaultOf(error: unknown): number | undefined {
  const { status, expose, code } = (error ?? {}) as { status?: unknown; expose?: unknown; code?: unknown };
  if (code === 'LIMIT_FILE_SIZE') return 413;
  if (error instanceof URIError) return 404;
  return typeof status === 'number' && status >= 400 && status < 500 && expose !== false ? status : undefined;
}

const OUTAGE_CODES = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|53100|53300|57014|57P0[1-3]|08\w{3})$/;

/** Whether PostgreSQL is unreachable, full, shutting down or too slow. Such errors get 503, so that clients retry. */
function isOutage(error: unknown): boolean {
  for (
    let at = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined, depth = 0;
    at && depth < 4;
    depth += 1
  ) {
    if (typeof at.code === 'string' && OUTAGE_CODES.test(at.code)) return true;
    if (
      typeof at.message === 'string' &&
      /timeout exceeded when trying to connect|Connection terminated/i.test(at.message)
    )
      return true;
    at = at.cause as typeof at;
  }
  return false;
}
