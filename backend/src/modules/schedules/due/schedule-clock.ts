import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';

/** The time by which scheduled sends are judged: the database's, since instances may disagree. Tests set another. */
@Injectable()
export class ScheduleClock {
  /** SQL expression of the present time. */
  sql = 'now()';

  async now(em: EntityManager): Promise<Date> {
    const [row] = await rows<{ now: Date | string }>(
      em,
      `select ${this.sql === 'now()' ? 'clock_timestamp()' : this.sql} as now`,
    );
    return new Date(row!.now);
  }
}

/** Times of the scheduler. Injected so that tests can shorten them. */
@Injectable()
export class ScheduleTuning {
  /** Ms between two looks at what is due. */
  sweepMs = 5_000;
  /** A look also hints the queue at what will be due within so many ms. */
  hintMs = 6_000;
  /** Accounts whose sends leave at the same time, per worker. */
  concurrency = 4;
}
