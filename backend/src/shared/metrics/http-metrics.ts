import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Metrics } from './metrics.service.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures every request, by route pattern. For an event stream, which is counted when it ends, measures the time to
 * its first byte.
 */
export function timeRequests(app: INestApplication): RequestHandler {
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    let headersAt = started;
    const { writeHead } = res;
    res.writeHead = function (this: Response, ...args: unknown[]) {
      headersAt = process.hrtime.bigint();
      return writeHead.apply(this, args as never);
    } as typeof res.writeHead;
    res.once('close', () => {
      const stream = /event-stream/.test(String(res.getHeader('content-type')));
      const seconds = Number((stream ? headersAt : process.hrtime.bigint()) - started) / 1e9;
      const status = res.writableFinished || res.headersSent ? res.statusCode : 499;
      app
        .get(Metrics, { strict: false })
        .request(METHODS.has(req.method) ? req.method : 'other', routeOf(req, res), status, seconds);
    });
    next();
  };
}

/**
 * Label of a request's route, from a closed set: the pattern of its handler, or one label each for assets, HTML pages
 * and everything else.
 */
function routeOf(req: Request, res: Response): string {
  const path = (req.route as { path?: unknown } | undefined)?.path;
  if (typeof path === 'string') return path;
  if (/^\/api\/(docs|openapi\.json|metrics|admin\/queues)/.test(req.originalUrl))
    return req.originalUrl.split(/[/?]/).slice(0, 3).join('/');
  if (req.originalUrl.startsWith('/assets/')) return '/assets';
  return /html/.test(String(res.getHeader('content-type'))) ? 'page' : 'none';
}
