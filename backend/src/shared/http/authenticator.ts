import type { Request, Response } from 'express';
import type { RequestUser } from './request-user.js';

/** Tells who makes a request, for the pages that stand outside Nest's guards (docs, queues). Auth provides it. */
export abstract class Authenticator {
  /** The signed-in user; an expired access token is renewed on `res` where the device's session lives. */
  abstract authenticate(req: Request, res: Response): Promise<RequestUser | undefined>;

  /** Which of these sessions are still open with their account in good standing, by session id; asking does not prolong them. */
  abstract activeSessions(users: readonly Pick<RequestUser, 'id' | 'sessionId'>[]): Promise<Map<string, { isAdmin: boolean }>>;
}
