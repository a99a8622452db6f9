import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { answerOf, answerOfStatus, Authenticator, clientOf, OriginGuard, type RequestUser, sendError } from '../../shared/http/index.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { AuditTrail } from '../auth/index.js';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * The queues' dashboard at /api/admin/queues (decisions.md D35). It stands outside Nest's guards, so its door asks what they
 * ask, of every file and call of it: who comes, whether from our own pages; and what is changed goes into the audit trail.
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
      (isLet) => { if (isLet) void this.open().then((board) => board(req, res, next), next); },
      (error: unknown) => sendError(res, answerOf(error)),
    );
  }

  /** Loaded when somebody wants to see it. */
  private open(): Promise<RequestHandler> {
    return (this.board ??= import('./queues-board.js').then(({ createBoard }) => createBoard(this.queues)));
  }

  private async enter(req: Request, res: Response): Promise<boolean> {
    const user = await this.authenticator.authenticate(req, res);
    if (!user?.isAdmin) {
      sendError(res, answerOfStatus(user ? 403 : 401));
      return false;
    }
    this.origin.require(req);
    if (!SAFE.has(req.method)) await this.writeDown(user, req, res);
    return true;
  }

  /** Before the deed: Redis takes no part in our transactions, and nothing may be changed without a line. Where it was refused, a second line says so. */
  private async writeDown(user: RequestUser, req: Request, res: Response): Promise<void> {
    const deed = `${req.method} ${decodeURIComponent(req.path).slice(0, 200)}`;
    const actor = { id: user.id, client: clientOf(req) };
    await this.audit.recordAct(this.em.fork(), actor, { kind: 'queue.changed', detail: deed });
    res.once('finish', () => {
      if (res.statusCode >= 400) this.audit.note({ kind: 'queue.changed', userId: user.id, client: actor.client, reason: `${deed}: refused (${res.statusCode})` });
    });
  }
}
