import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Role } from '../../enums.js';
import { plainAddress } from '../rate-limits/client-network.js';

/** The caller, read from the database with the session on every request. */
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

/** The signed-in user of a request; undefined when signed out. */
export const userOf = (req: Request): RequestUser | undefined => (req as { user?: RequestUser }).user;

/** The signed-in user; may be undefined on a `@Public()` route. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  userOf(context.switchToHttp().getRequest<Request>()),
);

/** Origin of a request: the client's address behind trusted proxies, and its User-Agent. */
export interface Client {
  ip: string;
  userAgent: string | null;
}

/**
 * The client of a request, for consent evidence and device lists. Rate limits use its network (`networkOf`) instead.
 */
export function clientOf(req: Request): Client {
  return {
    ip: plainAddress(req.ip ?? req.socket.remoteAddress ?? ''),
    userAgent: req.get('user-agent')?.slice(0, 500) ?? null,
  };
}

/** Identifies the caller for pages outside Nest's guards (docs, queues). Implemented by auth. */
export abstract class Authenticator {
  /** The signed-in user. Renews an expired access token on `res` while the device's session is valid. */
  abstract authenticate(req: Request, res: Response): Promise<RequestUser | undefined>;

  /** Ids of the sessions that are still open and belong to an account in good standing. Does not prolong them. */
  abstract activeSessions(
    users: readonly Pick<RequestUser, 'id' | 'sessionId'>[],
  ): Promise<Map<string, { isAdmin: boolean }>>;
}
