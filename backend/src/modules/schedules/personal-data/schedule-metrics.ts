import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { Metrics, type Reading } from '../../../shared/metrics/metrics.service.js';

/** Gauge of the seconds by which the longest overdue scheduled send is late. */
@Injectable()
export class ScheduleMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    @Inject(MikroORM) private readonly orm: PostgresORM,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'staffcast_scheduled_oldest_due_seconds',
      'How long the scheduled send that is due longest has waited to leave',
      [],
      () => this.oldestDue(),
    );
  }

  private async oldestDue(): Promise<Reading[]> {
    const [row] = await rows<{ value: number }>(
      this.orm.em.fork(),
      `select greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as value from scheduled_sends where state = 'scheduled'`,
    );
    return [[{}, row?.value ?? 0]];
  }
}
