import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ADMIN_ONLY, PUBLIC, ANONYMOUS, CROSS_SITE } from '../../../shared/http/requests/access.decorators.js';
import { userOf, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { adminsOnlyHere, notSignedIn } from '../auth.errors.js';
import { SessionAuthenticator } from './session-authenticator.service.js';

/**
 * Header with the id of the user for whom a screen makes a change. Tabs of a browser share one session: if another user
 * signs in in another tab, a change that this tab sends before it hears of that must not reach the other account.
 */
const ACTING_USER_HEADER = 'x-acting-user';

/**
 * Refuses signed-out callers on every route that is not marked `@Public()`, and calls that name another user than the
 * one who is signed in.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const targets = [context.getHandler(), context.getClass()];
    const req = context.switchToHttp().getRequest<Request>();
    const user = userOf(req);
    const actingUser = req.get(ACTING_USER_HEADER);
    const isOther = user && actingUser !== undefined && actingUser !== user.id;
    if (isOther && !this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)) throw notSignedIn();
    if (this.reflector.getAllAndOverride<boolean>(ADMIN_ONLY, targets)) {
      if (!user) throw notSignedIn();
      if (!user.isAdmin) throw adminsOnlyHere();
      return true;
    }
    if (!user && !this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)) throw notSignedIn();
    return true;
  }
}

/**
 * Identifies the caller without refusing any request. On routes marked `@CrossSite()` or `@Anonymous()`, the caller
 * stays anonymous.
 */
@Injectable()
export class IdentifyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: SessionAuthenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const targets = [context.getHandler(), context.getClass()];
    if ([CROSS_SITE, ANONYMOUS].some((mark) => this.reflector.getAllAndOverride<boolean>(mark, targets))) return true;
    const http = context.switchToHttp();
    const req = http.getRequest<Request & { user?: RequestUser }>();
    req.user = await this.authenticator.authenticate(req, http.getResponse<Response>());
    return true;
  }
}
