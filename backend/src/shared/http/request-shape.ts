import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { answerOfStatus, sendError } from './error.filter.js';

const BODY_LIMIT = '1mb';
const MAX_DEPTH = 32;

/** JSON bodies: at most 1 MB, valid UTF-8, not nested without end, no NUL (PostgreSQL refuses it). */
export const jsonBodies = (): RequestHandler[] => [
  express.json({
    limit: BODY_LIMIT,
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { status: 400, expose: true });
    },
  }),
  (req, res, next) => (isSane(req.body) ? next() : sendError(res, answerOfStatus(400))),
];

/** Requests that no handler should see: TRACE, paths and queries that cannot be decoded or hold a NUL. */
export function refuseOddRequests(req: Request, res: Response, next: NextFunction): void {
  if (req.method === 'TRACE') return sendError(res, answerOfStatus(405));
  const [path = '', query = ''] = req.originalUrl.split('?', 2);
  if (!isDecodable(path)) return sendError(res, answerOfStatus(404));
  if (/%00/.test(query)) return sendError(res, answerOfStatus(400));
  next();
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

function isSane(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && value.includes('\0')) return false;
      if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) below.push(child);
    }
    level = below;
  }
  return true;
}
