import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Lifecycle } from './lifecycle.js';

/** Set by a load balancer that repeats a GET on another instance where this one answers 502. */
const REPEATS_ELSEWHERE = 'x-repeats-elsewhere';
/** How long a client may take, in milliseconds; the fault tests cut it to seconds. */
export const SERVER_LIMITS = {
  headersMs: 20_000,
  requestMs: 120_000,
  /** Longer than any load balancer keeps an idle connection, so that it is never we who close one that it is about to use. */
  keepAliveMs: 75_000,
  /** Without a byte either way: a reader who stopped reading. */
  silenceMs: 120_000,
  /** How often the above is looked at. */
  lookMs: 5_000,
};
/** After this, what still hangs on a connection (a reader who stopped reading) is cut. */
const CLOSE_LIMIT_MS = 25_000;

/**
 * While the process stops: every answer ends its connection, and a load balancer that can repeat a GET elsewhere is told to,
 * which takes this instance out of its rotation before the port closes.
 */
export function drainRequests(app: INestApplication): RequestHandler {
  return (req: Request, res: Response, next: NextFunction): void => {
    if (!app.get(Lifecycle, { strict: false }).stopping) return next();
    res.setHeader('Connection', 'close');
    const repeatable = req.method === 'GET' && req.headers[REPEATS_ELSEWHERE] !== undefined && !req.path.startsWith('/api/health/');
    if (repeatable) return void res.status(502).end();
    next();
  };
}

/** Slow clients are let go (F24); connections that a load balancer keeps outlive its own patience. */
export function setServerLimits(server: Server): void {
  server.headersTimeout = SERVER_LIMITS.headersMs;
  server.requestTimeout = SERVER_LIMITS.requestMs;
  server.keepAliveTimeout = SERVER_LIMITS.keepAliveMs;
  server.timeout = SERVER_LIMITS.silenceMs;
  // Node looks every 30 s where nothing else is said; it reads this when it starts to listen.
  Object.assign(server, { connectionsCheckingInterval: SERVER_LIMITS.lookMs });
}

/** Closes the app, letting requests under way finish. */
export async function closeGently(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const started = Date.now();
  const timer = setInterval(() => (Date.now() - started > CLOSE_LIMIT_MS ? server.closeAllConnections() : server.closeIdleConnections()), 100);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}
