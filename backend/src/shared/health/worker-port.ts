import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { INestApplicationContext } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { AppError } from '../errors/app-error.js';
import { hasMetricsToken } from '../metrics/metrics-page.js';
import { Metrics } from '../metrics/metrics.service.js';
import { Readiness } from './readiness.service.js';

type Answer = [status: number, type: string, body: string];

const json = (status: number, body: object): Answer => [status, 'application/json', JSON.stringify(body)];

/**
 * Serves health, readiness and metrics for a process without a web server, at the paths that a web instance uses.
 * @returns a function that closes the port
 */
export async function openWorkerPort(app: INestApplicationContext, settings: Settings): Promise<() => void> {
  if (settings.workerPort === undefined) return () => undefined;
  const server = createServer((req, res) => {
    answer(app, settings, req).then(
      (given) => write(res, given),
      (error: unknown) =>
        write(
          res,
          error instanceof AppError
            ? json(error.status, { code: error.code, message: error.message })
            : json(500, { code: 'internal_error' }),
        ),
    );
  });
  server.listen(settings.workerPort);
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

async function answer(app: INestApplicationContext, settings: Settings, req: IncomingMessage): Promise<Answer> {
  if (req.url === '/api/health/live') return json(200, { status: 'ok', parts: {} });
  if (req.url === '/api/health/ready') return json(200, await app.get(Readiness, { strict: false }).check());
  const metrics = app.get(Metrics, { strict: false });
  if (req.url === '/api/metrics')
    return hasMetricsToken(req, settings)
      ? [200, metrics.contentType, await metrics.text()]
      : json(401, { code: 'unauthorized' });
  return json(404, { code: 'not_found' });
}

function write(res: ServerResponse, [status, type, body]: Answer): void {
  res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
