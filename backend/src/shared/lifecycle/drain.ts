import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Lifecycle } from './lifecycle.js';

/** Request header of a load balancer that repeats a GET on another instance after a 502. */
const REPEATS_ELSEWHERE = 'x-repeats-elsewhere';
/** Time limits for clients, in milliseconds; fault tests shorten them. */
export const SERVER_LIMITS = {
  headersMs: 20_000,
  requestMs: 120_000,
  /**
   * Longer than the idle timeout of load balancers. Otherwise the server might close a connection that the load
   * balancer is about to use.
   */
  keepAliveMs: 75_000,
  /** Time without a byte in either direction, after which the client counts as gone. */
  silenceMs: 120_000,
  /** Interval at which Node checks `headersMs` and `requestMs`. */
  checkIntervalMs: 5_000,
};
/** Milliseconds after which shutdown destroys the remaining connections. */
const CLOSE_LIMIT_MS = 25_000;

/**
 * During shutdown, closes each connection after its response. If the load balancer can repeat a GET elsewhere, answers
 * 502, so that it stops using this instance before the port closes.
 */
export function drainRequests(app: INestApplication): RequestHandler {
  return (req: Request, res: Response, next: NextFunction): void => {
    if (!app.get(Lifecycle, { strict: false }).stopping) return next();
    res.setHeader('Connection', 'close');
    const repeatable =
      req.method === 'GET' && req.headers[REPEATS_ELSEWHERE] !== undefined && !req.path.startsWith('/api/health/');
    if (repeatable) return void res.status(502).end();
    next();
  };
}

/** Disconnects slow clients, but keeps idle connections longer than the load balancer does. */
export function setServerLimits(server: Server): void {
  server.headersTimeout = SERVER_LIMITS.headersMs;
  server.requestTimeout = SERVER_LIMITS.requestMs;
  server.keepAliveTimeout = SERVER_LIMITS.keepAliveMs;
  server.timeout = SERVER_LIMITS.silenceMs;
  // Node reads this value when the server starts to listen. Its default is 30 s.
  Object.assign(server, { connectionsCheckingInterval: SERVER_LIMITS.checkIntervalMs });
}

/** Closes the app after requests in progress have finished. */
export async function closeGently(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const started = Date.now();
  const timer = setInterval(
    () => (Date.now() - started > CLOSE_LIMIT_MS ? server.closeAllConnections() : server.closeIdleConnections()),
    100,
  );
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}
