import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LoggerModule, type Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { Settings } from '../config/settings.js';
import { redactUrl } from './redact-url.js';

const QUIET = /^\/(?:assets\/|api\/health\/)/;

/** JSON lines, pretty on a terminal; no secret, no whole token. */
export function loggingParams(settings: Settings) {
  return {
    pinoHttp: {
      level: settings.logLevel,
      transport: process.stdout.isTTY && !settings.production ? { target: 'pino-pretty', options: { singleLine: true } } : undefined,
      genReqId: () => randomUUID(),
      autoLogging: { ignore: (req: IncomingMessage) => QUIET.test(req.url ?? '') },
      serializers: {
        req: (req: { id: string; method: string; url: string }) => ({ id: req.id, method: req.method, url: redactUrl(req.url) }),
        res: (res: { statusCode: number }) => ({ statusCode: res.statusCode }),
      },
      customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'info' : 'debug'),
    } satisfies Options,
  };
}

export const LoggingModule = LoggerModule.forRootAsync({ inject: [Settings], useFactory: (settings: Settings): Params => loggingParams(settings) });
