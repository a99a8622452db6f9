import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { clientOf, userOf } from '../requests/request-user.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';
import { RateLimits } from './rate-limits.service.js';

export const RATE_LIMIT = 'http:rate-limit';

/**
 * Selects the rate limit of a route, instead of `default`. `none` means unlimited (one-click unsubscribe, health).
 * Limits with the key `own`, such as `sign-in` and `wrong-token`, are not for this decorator: services consume them
 * through `RateLimits.consume`.
 */
export const RateLimit = (name: LimitName | 'none') => SetMetadata(RATE_LIMIT, name);

/**
 * Applies the rate limit of the route. Runs after the caller was identified, because some limits count per user, and
 * before the access check.
 */
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
