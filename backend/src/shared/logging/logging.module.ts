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

const QUIET = /^\/(?:assets\/|api\/health\/|api\/metrics)/;
const REQUEST_ID = /^[\w-]{8,64}$/;
/** A net below the rule that nobody logs these. */
const NEVER = ['password', 'currentPassword', 'newPassword', 'token', 'refreshToken', 'accessToken', 'authorization', 'cookie', 'secret', 'privateKey'];

/** The id that the load balancer gave, where there is one, so that its log and ours name a request alike. */
function requestId(req: IncomingMessage, res: ServerResponse, trusted: boolean): string {
  const given = req.headers['x-request-id'];
  const id = trusted && typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', id);
  return id;
}

/** JSON lines, pretty on a terminal; no secret, no whole token. */
export function loggingParams(settings: Settings) {
  return {
    pinoHttp: {
      level: settings.logLevel,
      base: { role: settings.role, pid: process.pid },
      transport: process.stdout.isTTY && !settings.production ? { target: 'pino-pretty', options: { singleLine: true } } : undefined,
      redact: { paths: NEVER.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
      genReqId: (req, res) => requestId(req, res, settings.trustProxy > 0),
      autoLogging: { ignore: (req: IncomingMessage) => QUIET.test(req.url ?? '') },
      customProps: (req) => (req as { logFields?: object }).logFields ?? {},
      serializers: {
        req: (req: { id: string; method: string; url: string }) => ({ id: req.id, method: req.method, url: redactUrl(req.url) }),
        res: (res: { statusCode: number }) => ({ statusCode: res.statusCode }),
        err: (error: unknown) => serializeError(error),
      },
      // Words of a line that were put together elsewhere: an error's text, an answer of a mail server.
      hooks: {
        logMethod(args: unknown[], method: (...args: unknown[]) => void) {
          method.apply(this, args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg)));
        },
      } as unknown as Options['hooks'],
      wrapSerializers: false,
      customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'info' : 'debug'),
    } satisfies Options,
  };
}

function withLines({ pinoHttp }: ReturnType<typeof loggingParams>): Params {
  return { pinoHttp: pinoHttp.transport ? pinoHttp : [pinoHttp, logLines()] };
}

const logger = LoggerModule.forRootAsync({ inject: [Settings], useFactory: (settings: Settings): Params => withLines(loggingParams(settings)) });

/** Every log line with its request, user and send. */
@Module({ imports: [logger], providers: [{ provide: APP_INTERCEPTOR, useClass: LogContext }] })
export class LoggingModule {}
