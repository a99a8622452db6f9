import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { userOf } from '../../shared/http/index.js';

/** One line for every call of an admin: people's data was looked at, and by whom. */
@Injectable()
export class AdminAccessLog implements NestInterceptor {
  private readonly log = new Logger('Admin');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const req = context.switchToHttp().getRequest<Request>();
    this.log.log({ actorId: userOf(req)?.id, method: req.method, route: req.route?.path, subjectId: Object.values(req.params)[0] }, 'admin call');
    return next.handle();
  }
}
