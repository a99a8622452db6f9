import type { NextFunction, Request, Response } from 'express';
import { answerOfStatus, sendError } from '../responses/error.filter.js';

/** U+FFFD, percent-encoded. No token, slug or id contains it. */
const REPLACEMENT = '%EF%BF%BD';

/**
 * Normalises a request before routing. Refuses TRACE, and NUL in the query. Replaces NUL and undecodable bytes in the
 * path, so that a malformed token gets the same answer as an unknown one.
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
