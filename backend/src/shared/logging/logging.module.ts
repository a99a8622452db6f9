import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { LoggerModule, type Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { Settings } from '../config/settings.js';
import { serializeError } from './error-serializer.js';
import { LogContext } from './log-context.js';
import { logLines } from './log-lines.js';
import { redactText, redactUrl } from './redact-url.js';

/** Not logged. Requests for pictures would otherwise record who opened a mail. */
const UNLOGGED = /^\/(?:assets\/|media\/|api\/health\/|api\/metrics)/;
const REQUEST_ID = /^[\w-]{8,64}$/;
/** Safety net: secrets are never logged on purpose. */
const REDACTED_FIELDS = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'refreshToken',
  'accessToken',
  'authorization',
  'cookie',
  'secret',
  'privateKey',
];

/** Uses the load balancer's request id where present, so that both logs name a request alike. */
function requestId(req: IncomingMessage, res: ServerResponse, trusted: boolean): string {
  const given = req.headers['x-request-id'];
  const id = trusted && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}

/** Logger settings: JSON lines, pretty-printed on a terminal, with secrets and tokens redacted. */
export function loggingParams(settings: Settings) {
  return {
    pinoHttp: {
      level: settings.logLevel,
      base: { role: settings.role, pid: process.pid },
      transport:
        process.stdout.isTTY && !settings.production
          ? { target: 'pino-pretty', options: { singleLine: true } }
          : undefined,
      redact: { paths: REDACTED_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
      genReqId: (req, res) => requestId(req, res, settings.trustProxy > 0),
      autoLogging: { ignore: (req: IncomingMessage) => UNLOGGED.test(req.url ?? '') },
      customProps: (req) => (req as { logFields?: object }).logFields ?? {},
      serializers: {
        req: (req: { id: string; method: string; url: string }) => ({
          id: req.id,
          method: req.method,
          url: redactUrl(req.url),
        }),
        res: (res: { statusCode: number }) => ({ statusCode: res.statusCode }),
        err: (error: unknown) => serializeError(error),
      },
      // Redacts texts from elsewhere: error messages, answers of mail servers.
      hooks: {
        logMethod(args: unknown[], method: (...args: unknown[]) => void) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg)),
          );
        },
      } as unknown as Options['hooks'],
      wrapSerializers: false,
      customLogLevel: (_req, res, error) =>
        error || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'info' : 'debug',
    } satisfies Options,
  };
}

function withLines({ pinoHttp }: ReturnType<typeof loggingParams>): Params {
  return { pinoHttp: pinoHttp.transport ? pinoHttp : [pinoHttp, logLines()] };
}

const logger = LoggerModule.forRootAsync({
  inject: [Settings],
  useFactory: (settings: Settings): Params => withLines(loggingParams(settings)),
});

/** Adds request, user and send to every log line. */
@Module({ imports: [logger], providers: [{ provide: APP_INTERCEPTOR, useClass: LogContext }] })
export class LoggingModule {}
