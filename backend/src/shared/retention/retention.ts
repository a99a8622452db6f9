import { MikroORM } from '@mikro-orm/core';
import type { EntityManager, MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Global, Inject, Injectable, Logger, Module } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { changed } from '../database/rows.js';
import { SingleRunner } from '../database/single-runner.js';

/** Rows that one statement removes. */
export const BATCH = 5_000;
const NIGHTLY = '17 3 * * *';

/** What of one table is too old to be kept; an index has to find it. */
export interface RetentionRule {
  table: string;
  /** Condition on the table's rows, aliased `t`; one `?` for each parameter. */
  where: string;
  params?: readonly unknown[];
  /** The indexed column that says how old a row is; without it a short table is read whole. */
  by?: string;
  /** Rows that one statement removes; fewer than BATCH where each takes many of another table with it. */
  batch?: number;
}

/** Removal from one table that a condition on its rows would not find by an index. */
export interface RetentionTask {
  table: string;
  /** Removes what is too old, at most BATCH rows a statement. @returns how many rows */
  purge: (em: EntityManager) => Promise<number>;
}

/** Removes what nobody needs any more, a batch at a time; modules say what with `add`. */
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

/** Removes what a rule finds, a batch a statement, so that no lock is held for long. @returns how many rows */
export async function removeOld(em: EntityManager, rule: RetentionRule): Promise<number> {
  const { params = [], batch = BATCH } = rule;
  for (let total = 0; ; ) {
    const count = await changed(em, removal(rule), params);
    total += count;
    if (count < batch) return total;
  }
}

/**
 * The statement that removes a batch. It asks for the oldest rows: without an order PostgreSQL reads the table from its beginning where much is old,
 * for each batch again over what the batches before it removed.
 */
export function removal({ table, where, by, batch = BATCH }: RetentionRule): string {
  return `delete from ${table} where ctid in (select t.ctid from ${table} t where ${where} ${by ? `order by t.${by}` : ''} limit ${batch})`;
}

@Global()
@Module({ providers: [Retention], exports: [Retention] })
export class RetentionModule {}

/** Once a night, on one worker. */
@Injectable()
export class RetentionSchedule {
  private readonly log = new Logger(RetentionSchedule.name);

  constructor(private readonly retention: Retention, private readonly single: SingleRunner) {}

  @Cron(NIGHTLY)
  async run(): Promise<void> {
    await this.single.run('retention', () => this.retention.purge()).catch((error: unknown) => this.log.error({ err: error }, 'the nightly purge failed'));
  }
}
