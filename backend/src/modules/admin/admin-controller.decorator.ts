import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { AdminOnly, userOf, clientOf, type RequestUser } from '../../shared/http/index.js';
import type { Actor } from '../auth/index.js';

/** Logs one line per admin call, so that access to personal data is traceable. */
@Injectable()
export class AdminAccessLog implements NestInterceptor {
  private readonly log = new Logger('Admin');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const req = context.switchToHttp().getRequest<Request>();
    this.log.log(
      { actorId: userOf(req)?.id, method: req.method, route: req.route?.path, subjectId: Object.values(req.params)[0] },
      'admin call',
    );
    return next.handle();
  }
}

/** Declares a controller below `api/admin`. Only admins may call it, and AdminAccessLog logs each call. */
export const AdminController = (path = ''): ClassDecorator =>
  applyDecorators(ApiTags('admin'), AdminOnly(), UseInterceptors(AdminAccessLog), Controller(`api/admin${path}`));

/** Actor of an audit trail entry: the admin, with their client and the reason that they gave. */
export const actorOf = ({ id }: RequestUser, req: Request, reason?: string | null): Actor => ({
  id,
  client: clientOf(req),
  reason,
});
