import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Role } from '../words/role.js';

/** Who makes the request: read from the database with the session, on every request. */
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

/** The signed-in user of a request, where there is one. */
export const userOf = (req: Request): RequestUser | undefined => (req as { user?: RequestUser }).user;

/** The signed-in user; on a `@Public()` route it may be undefined. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  userOf(context.switchToHttp().getRequest<Request>()),
);
