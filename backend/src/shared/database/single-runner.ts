import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';

/**
 * Runs a task on at most one instance at a time, using a named advisory lock. An instance that does not get the lock
 * skips the task.
 */
@Injectable()
export class SingleRunner {
  constructor(@Inject(MikroORM) private readonly orm: PostgresORM) {}

  /** @returns false if another instance holds the lock */
  async run(lockName: string, task: () => Promise<void>): Promise<boolean> {
    const pool = await this.orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_try_advisory_lock(hashtextextended($1, 0)) as held`,
        [lockName],
      );
      if (!rows[0]?.held) return false;
      try {
        await task();
        return true;
      } finally {
        await client.query(`select pg_advisory_unlock(hashtextextended($1, 0))`, [lockName]);
      }
    } finally {
      client.release();
    }
  }
}
