import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import {
  answerOf,
  answerOfStatus,
  Authenticator,
  clientOf,
  OriginGuard,
  type RequestUser,
  sendError,
} from '../../shared/http/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { AuditTrail } from '../auth/index.js';

/** Path of the queue dashboard. */
export const QUEUES_PATH = '/api/admin/queues';
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * The queue dashboard at /api/admin/queues. It is outside Nest's guards, so this middleware checks every request
 * itself: admin session and same origin. Changes are recorded in the audit trail.
 */
@Injectable()
export class QueuesPage implements NestMiddleware {
  private board?: Promise<RequestHandler>;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly origin: OriginGuard,
    private readonly queues: JobQueue,
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
  ) {}

  use(req: Request, res: Response, next: NextFunction): void {
    this.enter(req, res).then(
      (isLet) => {
        if (isLet) void this.open().then((board) => board(req, res, next), next);
      },
      (error: unknown) => sendError(res, answerOf(error)),
    );
  }

  /** The dashboard, which is created on first use. */
  private open(): Promise<RequestHandler> {
    return (this.board ??= import('./queues-board.js').then(({ createBoard }) =>
      createBoard(this.queues, QUEUES_PATH),
    ));
  }

  private async enter(req: Request, res: Response): Promise<boolean> {
    const user = await this.authenticator.authenticate(req, res);
    if (!user?.isAdmin) {
      sendError(res, answerOfStatus(user ? 403 : 401));
      return false;
    }
    this.origin.require(req);
    if (!SAFE_METHODS.has(req.method)) await this.writeDown(user, req, res);
    return true;
  }

  /**
   * Records a change in the audit trail before it is made: Redis does not take part in database transactions, and no
   * change may go unrecorded. A refused change gets a second entry.
   */
  private async writeDown(user: RequestUser, req: Request, res: Response): Promise<void> {
    const action = `${req.method} ${decodeURIComponent(req.path).slice(0, 200)}`;
    const actor = { id: user.id, client: clientOf(req) };
    await this.audit.recordAction(this.em.fork(), actor, { kind: 'queue.changed', detail: action });
    res.once('finish', () => {
      if (res.statusCode >= 400)
        this.audit.note({
          kind: 'queue.changed',
          userId: user.id,
          client: actor.client,
          reason: `${action}: refused (${res.statusCode})`,
        });
    });
  }
}
