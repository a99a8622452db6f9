import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { clientOf, userOf } from '../requests/request-user.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';
import { RateLimits } from './rate-limits.service.js';

export const RATE_LIMIT = 'http:rate-limit';

/**
 * Selects the rate limit of a route in place of the default one. `none`: unlimited (one-click unsubscribe, health).
 * Limits with a key of their own (`sign-in`, `account-mail`, `wrong-token`) are consumed by services through
 * `RateLimits.consume` instead.
 */
export const RateLimit = (name: LimitName | 'none') => SetMetadata(RATE_LIMIT, name);

/** Applies the route's rate limit after the user is identified and before access is decided. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const name =
      this.reflector.getAllAndOverride<LimitName | 'none' | undefined>(RATE_LIMIT, [
        context.getHandler(),
        context.getClass(),
      ]) ?? 'default';
    if (name === 'none') return true;
    const req = context.switchToHttp().getRequest<Request>();
    const user = LIMITS[name].by === 'user' ? userOf(req) : undefined;
    await (user ? this.limits.consume(name, `u:${user.id}`) : this.limits.consumeByClient(name, clientOf(req).ip));
    return true;
  }
}
