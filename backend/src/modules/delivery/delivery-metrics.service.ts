import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { Metrics, type Reading } from '../../shared/metrics/metrics.service.js';
import { SendTotalsReader } from '../history/index.js';
import { ABANDONED, RETRY_DUE } from './batches/delivery-claims.service.js';
import { ProviderBacklogs } from './throttling/backlogs/provider-backlogs.service.js';

/** Metrics of undelivered mail: how much is waiting, and for how long. */
@Injectable()
export class DeliveryMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly totals: SendTotalsReader,
    private readonly backlogs: ProviderBacklogs,
    @Inject(MikroORM) private readonly orm: PostgresORM,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('staffcast_deliveries_open', 'Messages of sends that are not settled', ['status'], () =>
      this.open(),
    );
    this.metrics.gauge(
      'staffcast_deliveries_oldest_due_seconds',
      'How long the first message that is due has waited, of the send that waits longest',
      [],
      () => this.oldestDue(),
    );
    this.metrics.gauge(
      'staffcast_deliveries_backlog',
      'Messages that wait for the rate of their mailbox provider',
      ['provider'],
      () => this.backlogs.gauge(({ waiting }) => waiting),
    );
    this.metrics.gauge(
      'staffcast_deliveries_backlog_expected_seconds',
      'Longest until all that waits for a mailbox provider is through, at its present rate',
      ['provider'],
      () => this.backlogs.gauge(({ waiting, perSecond }) => (perSecond ? waiting / perSecond : 0)),
    );
    this.metrics.gauge(
      'staffcast_deliveries_backlog_unserved_seconds',
      'How long nothing has gone to a mailbox provider that mail waits for',
      ['provider'],
      () => this.backlogs.gauge(({ unservedSeconds }) => unservedSeconds),
    );
    this.metrics.gauge(
      'staffcast_mail_account_failing',
      'Mail accounts in use that refuse us or cannot be reached: 1',
      ['account'],
      () => this.failing(),
    );
    this.metrics.gauge('staffcast_sends_pending', 'Sends that have not ended', [], () =>
      this.one(`select count(*)::float8 as value from email_history where status = 'pending'`),
    );
  }

  /**
   * Numbers of queued and deferred messages, derived from the tallies. Messages in flight count as queued, because
   * telling them apart would require reading every open row.
   */
  private async open(): Promise<Reading[]> {
    const em = this.orm.em.fork();
    const [unsettled, [waiting]] = await Promise.all([
      this.totals.unsettled(em),
      rows<{ count: number }>(
        em,
        `select count(*)::float8 as count from email_delivery_logs where status = 'deferred' and history_id in (select id from email_history where status = 'pending')`,
      ),
    ]);
    const deferred = waiting?.count ?? 0;
    return [
      [{ status: 'queued' }, Math.max(0, unsettled - deferred)],
      [{ status: 'deferred' }, deferred],
    ];
  }

  /**
   * Whether each active mail account is failing. Unless another account takes over, messages that were tried wait for
   * their next try, and ranges that were not begun stay due; see `oldestDue`.
   */
  private async failing(): Promise<Reading[]> {
    const found = await rows<{ name: string; failing: boolean }>(
      this.orm.em.fork(),
      `select name, state = 'failing' as failing from email_providers where is_active`,
    );
    return found.map(({ name, failing }) => [{ account: name }, failing ? 1 : 0] as const);
  }

  /**
   * Longest time in seconds that work of a send has waited. Work is the send's first unfinished range, a due retry, or
   * a row whose worker has died. Mail that waits for its provider and paused sends do not count. A range that was not
   * begun counts even if it waits only because the mail account is failing.
   */
  private oldestDue(): Promise<Reading[]> {
    const ofSend = 'from email_delivery_logs d where d.history_id = h.id';
    return this.one(
      `select coalesce(max(extract(epoch from now() - due.since)), 0)::float8 as value from email_history h cross join lateral (
         (select d.created_at as since ${ofSend} and d.position = (select min(next_position) from delivery_ranges where history_id = h.id))
         union all (select d.next_attempt_at ${ofSend} and ${RETRY_DUE} order by d.next_attempt_at limit 1)
         union all (select d.lease_until ${ofSend} and ${ABANDONED} order by d.position limit 1)
         union all (select first.created_at from (select d.created_at, d.next_attempt_at ${ofSend} and d.status in ('queued', 'deferred') order by d.position limit 50) first
           where first.next_attempt_at is null and not exists (select 1 from delivery_ranges where history_id = h.id) and not exists (select 1 from delivery_backlogs where history_id = h.id) limit 1)
       ) due where h.status = 'pending' and h.paused_at is null`,
    );
  }

  private async one(sql: string): Promise<Reading[]> {
    const [row] = await rows<{ value: number }>(this.orm.em.fork(), sql);
    return [[{}, row?.value ?? 0]];
  }
}
