import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '../single-runner.js';
import { rows } from './rows.js';

const HOUR_MS = 3_600_000;
/** Maximum number of rows that one statement adds up. */
const ROWS_PER_COMPACTION = 20_000;

/**
 * A counter table with one row per key and database connection. The column `backend` identifies the connection; 0 marks
 * the row with the sum.
 */
export interface CounterTable {
  table: string;
  key: readonly string[];
  counts: readonly string[];
  /** SQL condition on rows that may be added up. The counter table has the alias `t`. */
  ready: string;
  /**
   * SQL condition on rows whose key no longer exists. It also covers rows with a sum, because an owner may be deleted
   * while its rows are added up. Requires `existing`. Only for small tables, because it reads all rows.
   */
  orphaned?: string;
  /** SQL joins that `ready` needs. */
  join?: string;
  /** SQL joins that drop the counts of keys that no longer exist. The rows that are added up have the alias `g`. */
  existing?: string;
}

/** Adds up the rows of a counter table every hour, on one instance at a time. */
@Injectable()
export abstract class Compactor {
  private readonly log = new Logger(this.constructor.name);
  /** Name of the advisory lock. */
  protected abstract readonly lock: string;
  protected abstract readonly source: CounterTable;

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(HOUR_MS)
  async run(): Promise<void> {
    await this.runner
      .run(this.lock, () => this.compact())
      .catch((error: unknown) =>
        this.log.error(
          { err: error, code: 'compaction_failed' },
          'counters could not be summed up; the next hour tries again',
        ),
      );
  }

  async compact(): Promise<void> {
    const statement = compaction(this.source);
    for (let n = ROWS_PER_COMPACTION; n === ROWS_PER_COMPACTION;)
      n = (await rows<{ n: number }>(this.em.fork(), statement))[0]!.n;
  }
}

/**
 * Builds the statement that adds up rows. It is a single statement, so that readers see the rows either before or after
 * the addition. It skips locked rows; the next hour adds them up.
 */
function compaction({ table, key, counts, ready, orphaned = 'false', join = '', existing = '' }: CounterTable): string {
  const of = (alias: string): string => key.map((column) => `${alias}.${column}`).join(', ');
  return `
  with taken as (
    select ${of('t')}, t.backend from ${table} t ${join}
    where (t.backend <> 0 and ${ready} or ${orphaned}) limit ${ROWS_PER_COMPACTION} for update of t skip locked
  ), gone as (
    delete from ${table} t using taken where (${of('t')}, t.backend) = (${of('taken')}, taken.backend) returning t.*
  ), kept as (
    insert into ${table} as t (${key.join(', ')}, backend, ${counts.join(', ')})
    select ${of('g')}, 0, ${counts.map((name) => `sum(g.${name})`).join(', ')} from gone g ${existing} group by ${of('g')}
    on conflict (${key.join(', ')}, backend) do update set ${counts.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}
  )
  select count(*)::int as n from gone`;
}
