import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type NextFunction, type Response } from 'express';
import { DOCUMENT_NAMES, hasTooManyNames, isWithinShape } from './json-shape.js';

/**
 * Reads a JSON body in valid UTF-8 and of a bounded shape.
 * @param longList field whose array the caller checks itself
 * @param document field with a rich document, which may have more parts
 * @returns undefined if the request has no body or another content type
 * @throws 400, 413
 */
export async function readJson(
  req: Request,
  maxBytes: number,
  { longList, document }: { longList?: string; document?: string } = {},
): Promise<unknown> {
  if (req.is('application/json')) refuseAnnounced(req, maxBytes);
  await parsed(
    req,
    express.json({
      limit: maxBytes,
      verify: (_req, _res, bytes) => {
        if (!isUtf8(bytes)) throw unreadable('not UTF-8');
        if (hasTooManyNames(bytes, document === undefined ? undefined : DOCUMENT_NAMES))
          throw unreadable('too many names');
      },
    }),
  );
  releaseBodyOnClose(req);
  if (!isWithinShape(req.body, { longList, document })) throw unreadable('too wide, nested without end, or with a NUL');
  return req.body;
}

/**
 * Releases the parsed body, which may take up to a megabyte, once the response is closed. The request object itself may
 * stay in memory for long.
 */
function releaseBodyOnClose(req: Request): void {
  req.res!.once('close', () => (req.body = undefined));
}

/**
 * Reads a body of any content type as bytes.
 * @throws 413
 */
export async function readRaw(req: Request, maxBytes: number): Promise<Buffer> {
  refuseAnnounced(req, maxBytes);
  await parsed(req, express.raw({ type: () => true, limit: maxBytes }));
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** Refuses a body whose Content-Length is too large, because the parsers would first read the whole body. */
function refuseAnnounced(req: Request, maxBytes: number): void {
  if (Number(req.get('content-length')) > maxBytes)
    throw Object.assign(new Error('too large'), { status: 413, expose: true });
}

function parsed(req: Request, parser: RequestHandler): Promise<void> {
  return new Promise((resolve, reject) => {
    parser(req, req.res!, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

const unreadable = (message: string): Error => Object.assign(new Error(message), { status: 400, expose: true });

/**
 * Discards the rest of a body that was refused before its end. Otherwise the next request on the connection would wait
 * until the server's timeout. Node itself discards a body only if nothing of it was read.
 */
export function dropUnreadBody(req: Request, res: Response, next: NextFunction): void {
  res.once('finish', () => {
    if (!req.complete) req.resume();
  });
  next();
}
