import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { Metrics, type Reading } from '../../shared/metrics/metrics.service.js';

/** What waits to be delivered, and for how long: the first thing to look at when a send seems stuck. */
@Injectable()
export class SendingMetrics implements OnModuleInit {
  constructor(private readonly metrics: Metrics, @Inject(MikroORM) private readonly orm: PostgresORM) {}

  onModuleInit(): void {
    this.metrics.gauge('staffcast_deliveries_open', 'Messages of sends that are not settled', ['status'], () => this.open());
    this.metrics.gauge('staffcast_deliveries_oldest_due_seconds', 'How long the oldest message that is due has waited', [], () => this.oldestDue());
    this.metrics.gauge('staffcast_mail_account_failing', 'Mail accounts in use that refuse us or cannot be reached: 1', ['account'], () => this.failing());
    this.metrics.gauge('staffcast_sends_pending', 'Sends that have not ended', [], () => this.one(`select count(*)::float8 as value from email_history where status = 'pending'`));
  }

  private async open(): Promise<Reading[]> {
    const found = await rows<{ status: string; count: number }>(
      this.orm.em.fork(),
      `select status, count(*)::float8 as count from email_delivery_logs where status in ('queued', 'sending', 'deferred') group by status`,
    );
    return ['queued', 'sending', 'deferred'].map((status) => [{ status }, found.find((row) => row.status === status)?.count ?? 0] as const);
  }

  /** Messages wait for an account that fails; they are not due meanwhile. */
  private async failing(): Promise<Reading[]> {
    const found = await rows<{ name: string; failing: boolean }>(this.orm.em.fork(), `select name, state = 'failing' as failing from email_providers where is_active`);
    return found.map(({ name, failing }) => [{ account: name }, failing ? 1 : 0] as const);
  }

  private oldestDue(): Promise<Reading[]> {
    return this.one(
      `select coalesce(extract(epoch from now() - min(coalesce(next_attempt_at, created_at))), 0)::float8 as value from email_delivery_logs
       where status in ('queued', 'sending', 'deferred') and coalesce(next_attempt_at, '-infinity') <= now()
         and (status <> 'sending' or lease_until < now())`,
    );
  }

  private async one(sql: string): Promise<Reading[]> {
    const [row] = await rows<{ value: number }>(this.orm.em.fork(), sql);
    return [[{}, row?.value ?? 0]];
  }
}
