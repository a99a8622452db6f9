import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ANONYMOUS, CROSS_SITE } from '../../shared/http/access.decorators.js';
import type { RequestUser } from '../../shared/http/request-user.js';
import { SessionAuthenticator } from './session-authenticator.service.js';

/** Finds out who makes the request; turns nobody away. Routes without the origin check know nobody. */
@Injectable()
export class IdentifyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector, private readonly authenticator: SessionAuthenticator) {}

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
