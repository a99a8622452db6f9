import type { Request, Response } from 'express';
import type { RequestUser } from './request-user.js';

/** Tells who makes a request, for the pages that stand outside Nest's guards (docs, queues). Auth provides it. */
export abstract class Authenticator {
  /** The signed-in user; an expired access token is renewed on `res` where the device's session lives. */
  abstract authenticate(req: Request, res: Response): Promise<RequestUser | undefined>;

  /** Whether a request's session is still open and its account in good standing; asking does not prolong it. */
  abstract isActive(user: Pick<RequestUser, 'id' | 'sessionId'>): Promise<boolean>;
}
