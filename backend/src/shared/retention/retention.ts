import { MikroORM } from '@mikro-orm/core';
import type { EntityManager, MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Global, Inject, Injectable, Logger, Module } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { changed } from '../database/queries/rows.js';
import { SingleRunner } from '../database/single-runner.js';

/** Default number of rows per DELETE statement. */
export const ROWS_PER_DELETE = 5_000;
const NIGHTLY = '17 3 * * *';

/** Selects the rows of one table that are too old to keep. */
export interface RetentionRule {
  table: string;
  /** SQL condition on the table, aliased `t`, with one `?` per parameter. */
  where: string;
  params?: readonly unknown[];
  /** Indexed column with the age of a row. Rules without it scan the whole table, so the table must be small. */
  by?: string;
  /** Rows per DELETE statement; default: ROWS_PER_DELETE. Use fewer if each row cascades to many others. */
  batch?: number;
}

/** Deletes old rows of a table for which a RetentionRule does not suffice. */
export interface RetentionTask {
  table: string;
  /**
   * Deletes expired rows, at most ROWS_PER_DELETE per statement.
   * @returns number of deleted rows
   */
  purge: (em: EntityManager) => Promise<number>;
}

/** Deletes expired rows in batches. Modules register their rules with `add`. */
@Injectable()
export class Retention {
  private readonly log = new Logger(Retention.name);
  private readonly rules: (RetentionRule | RetentionTask)[] = [];

  constructor(@Inject(MikroORM) private readonly orm: PostgresORM) {}

  add(...rules: (RetentionRule | RetentionTask)[]): void {
    this.rules.push(...rules);
  }

  async purge(): Promise<void> {
    for (const rule of this.rules) {
      const em = this.orm.em.fork();
      const count = 'purge' in rule ? await rule.purge(em) : await removeOld(em, rule);
      if (count > 0) this.log.log(`${rule.table}: ${count} rows were older than they are kept`);
    }
  }
}

/**
 * Deletes the rows of a rule, one batch per statement, so that locks are short.
 * @returns number of deleted rows
 */
export async function removeOld(em: EntityManager, rule: RetentionRule): Promise<number> {
  const { params = [], batch = ROWS_PER_DELETE } = rule;
  for (let total = 0; ;) {
    const count = await changed(em, removal(rule), params);
    total += count;
    if (count < batch) return total;
  }
}

/**
 * DELETE statement for one batch, oldest rows first. Without an order, PostgreSQL would scan the table from its start
 * for each batch, again and again over rows that are already deleted.
 */
export function removal({ table, where, by, batch = ROWS_PER_DELETE }: RetentionRule): string {
  return `delete from ${table} where ctid in (select t.ctid from ${table} t where ${where} ${by ? `order by t.${by}` : ''} limit ${batch})`;
}

@Global()
@Module({ providers: [Retention], exports: [Retention] })
export class RetentionModule {}

/** Runs the retention rules once a night, on one worker. */
@Injectable()
export class RetentionSchedule {
  private readonly log = new Logger(RetentionSchedule.name);

  constructor(
    private readonly retention: Retention,
    private readonly single: SingleRunner,
  ) {}

  @Cron(NIGHTLY)
  async run(): Promise<void> {
    await this.single
      .run('retention', () => this.retention.purge())
      .catch((error: unknown) => this.log.error({ err: error }, 'the nightly purge failed'));
  }
}
