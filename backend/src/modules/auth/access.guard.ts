import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ADMIN_ONLY, PUBLIC } from '../../shared/http/access.decorators.js';
import { userOf } from '../../shared/http/request-user.js';
import { adminsOnlyHere, notSignedIn } from './auth.errors.js';

/** Routes are closed unless `@Public()` opens them. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const targets = [context.getHandler(), context.getClass()];
    const user = userOf(context.switchToHttp().getRequest<Request>());
    if (this.reflector.getAllAndOverride<boolean>(ADMIN_ONLY, targets)) {
      if (!user) throw notSignedIn();
      if (!user.isAdmin) throw adminsOnlyHere();
      return true;
    }
    if (!user && !this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)) throw notSignedIn();
    return true;
  }
}
