import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Settings } from '../config/settings.js';
import { adminsOnly } from '../http/pages/admin-pages.js';
import { answerOf, sendError } from '../http/responses/error.filter.js';
import { Metrics } from './metrics.service.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request carries METRICS_TOKEN as bearer token. */
export function hasMetricsToken(req: IncomingMessage, settings: Settings): boolean {
  const [, shown] = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '') ?? [];
  return (
    settings.metricsToken !== undefined &&
    shown !== undefined &&
    timingSafeEqual(digest(shown), digest(settings.metricsToken))
  );
}

/** GET /api/metrics, for callers with METRICS_TOKEN and for admins. */
export function metricsPage(app: INestApplication, settings: Settings): RequestHandler {
  const admins = adminsOnly(app);
  return (req: Request, res: Response, next: NextFunction): void => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (hasMetricsToken(req, settings)) return write(app, res);
    void admins(req, res, () => write(app, res));
  };
}

function write(app: INestApplication, res: Response): void {
  const metrics = app.get(Metrics, { strict: false });
  metrics.text().then(
    (text) => res.set('Content-Type', metrics.contentType).send(text),
    (error: unknown) => sendError(res, answerOf(error)),
  );
}
