import type { Request, Response } from 'express';
import type { RequestUser } from './request-user.js';

/** Tells who makes a request, for the pages that stand outside Nest's guards (docs, queues). Auth provides it. */
export abstract class Authenticator {
  /** The signed-in user; an expired access token is renewed on `res` where the device's session lives. */
  abstract authenticate(req: Request, res: Response): Promise<RequestUser | undefined>;

  /** Whether the session behind an earlier answer still stands; looking is no use of it. */
  abstract stands(user: Pick<RequestUser, 'id' | 'sessionId'>): Promise<boolean>;
}
