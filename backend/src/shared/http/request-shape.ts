import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { answerOfStatus, sendError } from './error.filter.js';

const BODY_LIMIT = 1024 * 1024;
const MAX_DEPTH = 32;

/** Takes a larger JSON body, and reads it itself with `readJson` once it knows the caller. */
const READS_LATER = /^\/api\/email-lists\/[^/]+\/subscribers\/import\/?$/i;

/** Its signature is over the bytes as they came. */
const RAW = /^\/api\/stripe\/webhook\/?$/i;

/** One-click unsubscribe: its body, whatever it says it is, is never looked at (guide/email.md §4). */
const IGNORES_BODY = /^\/(api\/)?(unsubscribe|never-ask)\/[^/]+\/?$/i;

/** JSON bodies: at most 1 MB, valid UTF-8, not nested without end, no NUL (PostgreSQL refuses it). */
export function jsonBodies(): RequestHandler {
  const parse = jsonParser(BODY_LIMIT);
  const keep = express.raw({ type: () => true, limit: BODY_LIMIT });
  return (req, res, next) => {
    if (RAW.test(req.path)) return keep(req, res, next);
    if (READS_LATER.test(req.path) || IGNORES_BODY.test(req.path)) return next();
    // The parser would first wait for all of what it refuses.
    if (Number(req.get('content-length')) > BODY_LIMIT && req.is('application/json')) return sendError(res, answerOfStatus(413));
    parse(req, res, (error?: unknown) => next(error ?? faultOf(req.body)));
  };
}

/** The JSON body of a route that reads it itself, under the same rules but for its size. */
export async function readJson(req: Request, limit: string): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    jsonParser(limit)(req, req.res!, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
  const fault = faultOf(req.body);
  if (fault) throw fault;
  return req.body;
}

const jsonParser = (limit: string | number): RequestHandler =>
  express.json({
    limit,
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw unreadable('not UTF-8');
    },
  });

const unreadable = (message: string): Error => Object.assign(new Error(message), { status: 400, expose: true });
const faultOf = (body: unknown): Error | undefined => (isSane(body) ? undefined : unreadable('nested without end, or with a NUL'));

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
