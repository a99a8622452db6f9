import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';

/** Billing transactions wait for Stripe with a connection in hand: a slow Stripe must not take them all. */
const AT_ONCE = 5;

/** One thing at a time happens to an account's billing, over all instances; held across the calls to Stripe. */
@Injectable()
export class BillingTurns {
  private free = AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly em: EntityManager) {}

  /** One transaction with the account's turn. */
  run<T>(userId: string, work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.open(async (em) => {
      await this.take(em, userId);
      return work(em);
    });
  }

  /** One transaction that takes its turns itself. */
  async open<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await this.em.fork().transactional(async (em) => {
        await rows(em, `set local lock_timeout = '20s'`);
        return work(em);
      });
    } finally {
      this.leave();
    }
  }

  /** An account's turn until the transaction ends. A referred person's is taken before the referrer's, never the other way round. */
  async take(em: EntityManager, userId: string): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('billing:' || ?::text, 0))`, [userId]);
  }

  private async enter(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((go) => this.waiting.push(go));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
