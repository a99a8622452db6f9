import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { type Observable, tap } from 'rxjs';
import { userOf } from '../http/requests/request-user.js';

/** Adds the route, the user and, if there is one, the send to every log line of a request. */
@Injectable()
export class LogContext implements NestInterceptor {
  constructor(private readonly logger: PinoLogger) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const req = context.switchToHttp().getRequest<Request & { logFields?: object }>();
    const route = String((req.route as { path?: unknown } | undefined)?.path);
    this.note(req, {
      route,
      userId: userOf(req)?.id,
      ...(route.startsWith('/api/email-history/:id') && { sendId: req.params.id }),
    });
    if (route !== '/api/send-email') return next.handle();
    return next.handle().pipe(tap((answer: { id?: string }) => this.note(req, { sendId: answer.id })));
  }

  private note(req: Request & { logFields?: object }, fields: Record<string, unknown>): void {
    const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    req.logFields = { ...req.logFields, ...known };
    this.logger.assign(known);
  }
}
