import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { hasTooManyNames, isWithinShape } from './json-shape.js';

/**
 * Reads a JSON body: valid UTF-8, of a shape that the validation can take. Undefined where the request has none or is of another type.
 * @param longList a field whose array the caller checks itself
 * @throws 400, 413
 */
export async function readJson(req: Request, maxBytes: number, longList?: string): Promise<unknown> {
  if (req.is('application/json')) refuseAnnounced(req, maxBytes);
  await parsed(req, express.json({
    limit: maxBytes,
    verify: (_req, _res, bytes) => {
      if (!isUtf8(bytes)) throw unreadable('not UTF-8');
      if (hasTooManyNames(bytes)) throw unreadable('too many names');
    },
  }));
  if (!isWithinShape(req.body, longList)) throw unreadable('too wide, nested without end, or with a NUL');
  return req.body;
}

/** Reads a body of any type as it came. @throws 413 */
export async function readRaw(req: Request, maxBytes: number): Promise<Buffer> {
  refuseAnnounced(req, maxBytes);
  await parsed(req, express.raw({ type: () => true, limit: maxBytes }));
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The parsers would first wait for all of what they refuse. */
function refuseAnnounced(req: Request, maxBytes: number): void {
  if (Number(req.get('content-length')) > maxBytes) throw Object.assign(new Error('too large'), { status: 413, expose: true });
}

function parsed(req: Request, parser: RequestHandler): Promise<void> {
  return new Promise((resolve, reject) => {
    parser(req, req.res!, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

const unreadable = (message: string): Error => Object.assign(new Error(message), { status: 400, expose: true });
