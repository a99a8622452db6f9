import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';

/**
 * Current time for scheduled sends. Uses the database's clock, because the clocks of instances may differ. Tests
 * replace it.
 */
@Injectable()
export class ScheduleClock {
  /** SQL expression of the current time. */
  sql = 'now()';

  async now(em: EntityManager): Promise<Date> {
    const [row] = await rows<{ now: Date | string }>(
      em,
      `select ${this.sql === 'now()' ? 'clock_timestamp()' : this.sql} as now`,
    );
    return new Date(row!.now);
  }
}

/** Timing of the scheduler. Injected so that tests can shorten it. */
@Injectable()
export class ScheduleTuning {
  /** Ms between two sweeps for due sends. */
  sweepMs = 5_000;
  /** Each sweep also enqueues hints for sends that become due within this many ms. */
  hintMs = 6_000;
  /** Ms after which a worker retries a send whose files were still being scanned. */
  fileRetryMs = 30_000;
  /** Number of accounts whose sends leave concurrently, per worker. */
  concurrency = 4;
}
