import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Authenticator } from '../requests/request-user.js';
import { answerOf, answerOfStatus, sendError } from '../responses/error.filter.js';

/** Middleware for pages that Nest's guards do not cover: 401 when signed out, 403 for users who are not admins. */
export function adminsOnly(app: INestApplication) {
  return (req: Request, res: Response, next: NextFunction): void => {
    app
      .get(Authenticator, { strict: false })
      .authenticate(req, res)
      .then(
        (user) => (user?.isAdmin ? next() : sendError(res, answerOfStatus(user ? 403 : 401))),
        (error: unknown) => sendError(res, answerOf(error)),
      );
  };
}
