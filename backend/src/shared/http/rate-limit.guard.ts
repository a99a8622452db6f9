import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { clientOf } from './client-of.js';
import { RATE_LIMIT } from './rate-limit.decorator.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';
import { RateLimits } from './rate-limits.service.js';
import { userOf } from './request-user.js';

/** Applies the route's limit; runs after the user is known and before anyone is turned away. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly reflector: Reflector, private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.getAllAndOverride<LimitName | 'none' | undefined>(RATE_LIMIT, [context.getHandler(), context.getClass()]) ?? 'default';
    if (name === 'none') return true;
    const req = context.switchToHttp().getRequest<Request>();
    const user = LIMITS[name].by === 'user' ? userOf(req) : undefined;
    await (user ? this.limits.consume(name, `u:${user.id}`) : this.limits.consumeByClient(name, clientOf(req).ip));
    return true;
  }
}
