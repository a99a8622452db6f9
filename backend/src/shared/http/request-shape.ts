import type { NextFunction, Request, Response } from 'express';
import { answerOfStatus, sendError } from './error.filter.js';

/** U+FFFD, percent-encoded: no token, slug or id holds it. */
const REPLACEMENT = '%EF%BF%BD';

/**
 * Requests that no handler should see as they are: TRACE and queries with a NUL are refused; in a path, a NUL and what cannot be
 * decoded are replaced, so that a malformed token gets the same answer as an unknown one.
 */
export function refuseOddRequests(req: Request, res: Response, next: NextFunction): void {
  if (req.method === 'TRACE') return sendError(res, answerOfStatus(405));
  const [path = '', ...query] = req.originalUrl.split('?');
  if (query.some((part) => part.includes('%00'))) return sendError(res, answerOfStatus(400));
  const decodable = isDecodable(path) ? path.replaceAll('%00', REPLACEMENT) : path.replaceAll('%', REPLACEMENT);
  if (decodable !== path) req.url = [decodable, ...query].join('?');
  next();
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
