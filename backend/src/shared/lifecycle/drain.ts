import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Lifecycle } from './lifecycle.js';

/** Header set by a load balancer that retries a GET on another instance after a 502. */
const REPEATS_ELSEWHERE = 'x-repeats-elsewhere';
/** Time limits for clients, in milliseconds; fault tests shorten them. */
export const SERVER_LIMITS = {
  headersMs: 20_000,
  requestMs: 120_000,
  /**
   * Longer than the idle timeout of load balancers, so that this side never closes a connection that is about to be
   * used.
   */
  keepAliveMs: 75_000,
  /** Time without a byte in either direction: the client stopped reading. */
  silenceMs: 120_000,
  /** Interval of the checks above. */
  checkIntervalMs: 5_000,
};
/** Time after which remaining connections are destroyed during shutdown. */
const CLOSE_LIMIT_MS = 25_000;

/**
 * During shutdown, closes the connection after each answer. A load balancer that can retry a GET elsewhere is told to,
 * and so stops using this instance before the port closes.
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

/** Disconnects slow clients, while idle connections outlive the load balancer's own timeout. */
export function setServerLimits(server: Server): void {
  server.headersTimeout = SERVER_LIMITS.headersMs;
  server.requestTimeout = SERVER_LIMITS.requestMs;
  server.keepAliveTimeout = SERVER_LIMITS.keepAliveMs;
  server.timeout = SERVER_LIMITS.silenceMs;
  // Node's default interval is 30 s; it reads this value when it starts to listen.
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
