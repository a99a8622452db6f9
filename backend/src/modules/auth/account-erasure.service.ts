import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { retryDeadlocks } from '../../shared/database/retry-deadlocks.js';
import { changed, rows, withoutTimeLimit } from '../../shared/database/rows.js';
import { type ErasureRule, ErasureRules } from '../../shared/erasure/erasure-rules.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { AuditTrail } from './audit-trail.service.js';

/** How long the person waits for a worker's erasure; that of a large account goes on after the answer. */
const ANSWER_MS = 5_000;
const LOOK_MS = 50;

/**
 * Erases what deleted accounts hold, in batches that are committed one by one, so that an interruption costs one batch. Foreign keys and
 * triggers of the account's row take the rest along; unsubscribe links and suppressions stay.
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

  /** Has a worker erase one account, and returns once that is done or has taken a while. */
  async eraseSoon(userId: string): Promise<void> {
    await this.jobs.enqueue('erasures', { userId }, { jobId: userId });
    for (const end = Date.now() + ANSWER_MS; Date.now() < end; await pause(LOOK_MS)) {
      if ((await rows(this.em.fork(), `select 1 from users where id = ?`, [userId])).length === 0) return;
    }
  }

  /** All that a crash or a failure left over. */
  async eraseLeftOver(): Promise<void> {
    const left = await rows<{ id: string }>(this.em.fork(), `select id from users where deleted_at < now() - interval '1 minute' order by deleted_at limit 100`);
    for (const { id } of left) await this.erase(id).catch((error: unknown) => this.log.error({ err: error, userId: id, code: 'erasure_failed' }, 'an erasure failed'));
  }

  /** The event comes before the deletion: after a crash it is emitted again, so listeners must be idempotent. */
  async erase(userId: string): Promise<void> {
    const [held] = await rows<{ stripeCustomerId: string | null }>(
      this.em.fork(), `select stripe_customer_id as "stripeCustomerId" from users where id = ? and deleted_at is not null`, [userId],
    );
    if (!held) return;
    await this.events.emit('user.deleted', { userId, stripeCustomerId: held.stripeCustomerId });
    for (const rule of this.rules.inOrder()) await this.inBatches(rule, userId);
    // A send of the account that is still under way may lock the same rows in another order; it ends with its next batch.
    await retryDeadlocks(() => this.em.fork().transactional(async (em) => {
      // Waits for a webhook that holds the row: giving up here would leave the rest to the sweep, a minute later.
      const mine = await rows(em, `select 1 from users where id = ? and deleted_at is not null for update`, [userId]);
      if (mine.length === 0) return;
      // Audit lines written after the account was closed.
      await this.audit.pseudonymise(em, { userId, email: '', emailNorm: '' });
      await withoutTimeLimit(em);
      await changed(em, `delete from users where id = ?`, [userId]);
    }));
  }

  private async inBatches({ table, where, batch }: ErasureRule, userId: string): Promise<void> {
    const statement = `delete from ${table} where ctid in (select t.ctid from ${table} t where ${where} limit ${batch})`;
    const eraseBatch = () => this.em.fork().transactional(async (em) => {
      await withoutTimeLimit(em);
      return changed(em, statement, [userId]);
    });
    while ((await retryDeadlocks(eraseBatch)) > 0);
  }
}
