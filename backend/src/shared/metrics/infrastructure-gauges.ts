import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../database/queries/rows.js';
import { QUEUE_NAMES } from '../jobs/job-handler.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Metrics, type Reading } from './metrics.service.js';

interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Gauges of the database pool, the queues and pending system mail. */
@Injectable()
export class InfrastructureGauges implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly jobs: JobQueue,
    @Inject(MikroORM) private readonly orm: PostgresORM,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('staffcast_db_pool_connections', 'Connections of this process to PostgreSQL', ['state'], () =>
      this.pool(),
    );
    this.metrics.gauge('staffcast_queue_jobs', 'Jobs in Redis', ['queue', 'state'], async () =>
      (await Promise.all(QUEUE_NAMES.map((name) => this.depth(name)))).flat(),
    );
    this.metrics.gauge('staffcast_queue_oldest_seconds', 'How long the oldest waiting job has waited', ['queue'], () =>
      Promise.all(QUEUE_NAMES.map((name) => this.age(name))),
    );
    this.metrics.gauge('staffcast_system_mail_waiting', 'System mails that are due and not sent', [], () =>
      this.waitingMail('count(*)'),
    );
    this.metrics.gauge(
      'staffcast_system_mail_oldest_seconds',
      'How long the oldest due system mail has waited',
      [],
      () => this.waitingMail('coalesce(extract(epoch from now() - min(next_attempt_at)), 0)'),
    );
  }

  private async pool(): Promise<Reading[]> {
    const pool = (await this.orm.em.getConnection().getNativeClient()) as unknown as PoolCounts;
    return [
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
      [{ state: 'waited_for' }, pool.waitingCount],
    ];
  }

  private async depth(queue: (typeof QUEUE_NAMES)[number]): Promise<Reading[]> {
    const { waiting, active, delayed, paused } = (await this.jobs.queue(queue).getJobCounts()) as unknown as Record<
      string,
      number
    >;
    return Object.entries({ waiting, active, delayed, paused }).map(
      ([state, count]) => [{ queue, state }, count ?? 0] as const,
    );
  }

  private async age(queue: (typeof QUEUE_NAMES)[number]): Promise<Reading> {
    const [oldest] = await this.jobs.queue(queue).getJobs(['waiting'], 0, 0, true);
    return [{ queue }, oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0];
  }

  private async waitingMail(value: string): Promise<Reading[]> {
    const [row] = await rows<{ value: number }>(
      this.orm.em.fork() as never,
      `select (${value})::float8 as value from system_mails where status in ('queued', 'sending') and next_attempt_at <= now()`,
    );
    return [[{}, row?.value ?? 0]];
  }
}
