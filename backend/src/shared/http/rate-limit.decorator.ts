import { SetMetadata } from '@nestjs/common';
import type { LimitName } from './rate-limit.policies.js';

export const RATE_LIMIT = 'http:rate-limit';

/**
 * The limit that counts this route's calls, instead of the default one. `none`: never limited
 * (one-click unsubscribe, health). Limits keyed by the service (`sign-in`, `account-mail`, `wrong-token`) are not
 * named here: the service calls `RateLimits.consume`.
 */
export const RateLimit = (name: LimitName | 'none') => SetMetadata(RATE_LIMIT, name);
