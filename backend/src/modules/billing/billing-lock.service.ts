import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { inTransaction, rows } from '../../shared/database/queries/rows.js';

/** Maximum number of concurrent billing transactions: they hold a database connection while they wait for Stripe. */
const CONCURRENT = 5;

/** Serialises billing operations per account over all instances, including their calls to Stripe. */
@Injectable()
export class BillingLock {
  private readonly slots = pLimit(CONCURRENT);

  constructor(private readonly em: EntityManager) {}

  /** Runs a transaction that holds the account's lock. */
  run<T>(userId: string, work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.open(async (em) => {
      await this.take(em, userId);
      return work(em);
    });
  }

  /** Runs a transaction without a lock; `work` locks accounts with `take`. */
  open<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.slots(() =>
      inTransaction(this.em, async (em) => {
        await rows(em, `set local lock_timeout = '20s'`);
        return work(em);
      }),
    );
  }

  /**
   * Locks an account's billing until the transaction ends. To avoid deadlocks, lock a referred person before the
   * referrer, never the other way round.
   */
  async take(em: EntityManager, userId: string): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('billing:' || ?::text, 0))`, [userId]);
  }
}
