import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Role } from '../../enums.js';
import { plainAddress } from '../rate-limits/client-network.js';

/** The signed-in caller. Every request reads it from the database, together with the session. */
export interface RequestUser {
  id: string;
  email: string;
  emailNorm: string;
  firstName: string;
  lastName: string;
  agencyName: string | null;
  role: Role;
  isAdmin: boolean;
  isVerified: boolean;
  timeZone: string;
  tier: string;
  customDailyLimit: string | null;
  referralAccessUntil: Date | null;
  sessionId: string;
}

/**
 * The signed-in user of a request.
 * @returns undefined if the caller is signed out
 */
export const userOf = (req: Request): RequestUser | undefined => (req as { user?: RequestUser }).user;

/** Parameter decorator for the signed-in user. The value may be undefined on a `@Public()` route. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  userOf(context.switchToHttp().getRequest<Request>()),
);

/** Where a request comes from: the client's address, as reported by trusted proxies, and its User-Agent. */
export interface Client {
  ip: string;
  userAgent: string | null;
}

/**
 * The client of a request, for consent evidence and device lists. Rate limits use the client's network instead
 * (`networkOf`).
 */
export function clientOf(req: Request): Client {
  return {
    ip: plainAddress(req.ip ?? req.socket.remoteAddress ?? ''),
    userAgent: req.get('user-agent')?.slice(0, 500) ?? null,
  };
}

/** Identifies the caller for pages that Nest's guards do not cover (docs, queues). The auth module implements it. */
export abstract class Authenticator {
  /** Returns the signed-in user. Renews an expired access token on `res` if the device's session is still valid. */
  abstract authenticate(req: Request, res: Response): Promise<RequestUser | undefined>;

  /**
   * Returns the sessions that are still open and whose account is in good standing, keyed by session id. Does not
   * prolong them.
   */
  abstract activeSessions(
    users: readonly Pick<RequestUser, 'id' | 'sessionId'>[],
  ): Promise<Map<string, { isAdmin: boolean }>>;
}
