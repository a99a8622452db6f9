import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { type ErasureRule, ErasureRules } from '../../../shared/personal-data.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';

/**
 * Maximum time in milliseconds for which a request waits for the erasure. The erasure of a large account continues
 * after the answer.
 */
const ANSWER_MS = 5_000;
const POLL_MS = 50;

/**
 * Erases the data of deleted accounts in batches. Each batch is committed separately, so that an interruption loses at
 * most one batch. Deleting the account's row removes the rest by foreign keys and triggers. Unsubscribe links and
 * suppressions stay.
 */
@Injectable()
export class AccountErasure {
  private readonly log = new Logger(AccountErasure.name);

  constructor(
    private readonly em: EntityManager,
    private readonly events: EventBus,
    private readonly audit: AuditTrail,
    private readonly rules: ErasureRules,
    private readonly jobs: JobQueue,
  ) {}

  /** Enqueues the erasure of an account and waits for its end, at most ANSWER_MS. */
  async eraseSoon(userId: string): Promise<void> {
    await this.jobs.enqueue('erasures', { userId }, { jobId: userId });
    for (const end = Date.now() + ANSWER_MS; Date.now() < end; await pause(POLL_MS)) {
      if ((await rows(this.em.fork(), `select 1 from users where id = ?`, [userId])).length === 0) return;
    }
  }

  /** Resumes erasures that crashed or failed. */
  async eraseLeftOver(): Promise<void> {
    const left = await rows<{ id: string }>(
      this.em.fork(),
      `select id from users where deleted_at < now() - interval '1 minute' order by deleted_at limit 100`,
    );
    for (const { id } of left)
      await this.erase(id).catch((error: unknown) =>
        this.log.error({ err: error, userId: id, code: 'erasure_failed' }, 'an erasure failed'),
      );
  }

  /**
   * Erases an account. Emits the event before it deletes anything, and again after a crash, so listeners must be
   * idempotent.
   */
  async erase(userId: string): Promise<void> {
    const [held] = await rows<{ stripeCustomerId: string | null }>(
      this.em.fork(),
      `select stripe_customer_id as "stripeCustomerId" from users where id = ? and deleted_at is not null`,
      [userId],
    );
    if (!held) return;
    await this.events.emit('user.deleted', { userId, stripeCustomerId: held.stripeCustomerId });
    for (const rule of this.rules.inOrder()) await this.inBatches(rule, userId);
    // A running send of the account stops at its next batch. Until then, it may lock the same rows in another order.
    await retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        // Waits if a webhook has locked the row: skipping it would delay the erasure until the next sweep.
        const mine = await rows(em, `select 1 from users where id = ? and deleted_at is not null for update`, [userId]);
        if (mine.length === 0) return;
        // Some entries may have been written after the account was closed.
        await this.audit.pseudonymise(em, { userId, email: '', emailNorm: '' });
        await withoutTimeLimit(em);
        await changed(em, `delete from users where id = ?`, [userId]);
      }),
    );
  }

  private async inBatches({ table, where, batch }: ErasureRule, userId: string): Promise<void> {
    const statement = `delete from ${table} where ctid in (select t.ctid from ${table} t where ${where} limit ${batch})`;
    const eraseBatch = () =>
      inTransaction(this.em, async (em) => {
        await withoutTimeLimit(em);
        return changed(em, statement, [userId]);
      });
    while ((await retryDeadlocks(eraseBatch)) > 0);
  }
}

/** Erases the data of an account soon after the account was closed. */
@JobHandler('erasures', 1)
export class EraseAccount implements HandlesJob<'erasures'> {
  constructor(private readonly erasure: AccountErasure) {}

  async handle({ userId }: { userId: string }): Promise<void> {
    await this.erasure.erase(userId);
  }
}

const MINUTE_MS = 60_000;

/** Completes erasures that were interrupted by a crash or an error. */
@Injectable()
export class ErasureSweep {
  private readonly logger = new Logger(ErasureSweep.name);

  constructor(
    private readonly erasure: AccountErasure,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(MINUTE_MS)
  async run(): Promise<void> {
    await this.runner
      .run('auth.erasure', () => this.erasure.eraseLeftOver())
      .catch((error: unknown) => this.logger.error(error));
  }
}
