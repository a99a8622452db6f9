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

/** Paths whose requests are not logged. Requests for pictures would record who opened a mail. */
const UNLOGGED = /^\/(?:assets\/|media\/|api\/health\/|api\/metrics)/;
const REQUEST_ID = /^[\w-]{8,64}$/;
/** Fields that are hidden as a safety net. No code logs secrets on purpose. */
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

/** Id of a request. Takes over the load balancer's id if there is one, so that both logs use the same id. */
function requestId(req: IncomingMessage, res: ServerResponse, trusted: boolean): string {
  const given = req.headers['x-request-id'];
  const id = trusted && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}

/**
 * Settings of the logger: JSON lines, pretty-printed on a terminal in development, with secrets and tokens redacted.
 */
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
      // Redacts texts from other sources, such as error messages and replies of mail servers.
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

/** Adds route, user and send to the log lines of requests. */
@Module({ imports: [logger], providers: [{ provide: APP_INTERCEPTOR, useClass: LogContext }] })
export class LoggingModule {}
