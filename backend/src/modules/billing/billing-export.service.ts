import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '../../shared/text/formats.js';
import { rows } from '../../shared/database/queries/rows.js';
import { type ExportCell, ExportParts } from '../../shared/personal-data.js';

/** Adds paid terms to the account's data export. Cards and invoices are at Stripe, in the billing portal. */
@Injectable()
export class BillingExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add({
      file: 'paid-plans.csv',
      header: ['plan', 'status', 'started', 'period from', 'period to', 'ends with the period', 'canceled'],
      rows: (userId) => this.terms(userId),
    });
  }

  private async *terms(userId: string): AsyncGenerator<ExportCell[]> {
    const found = await rows<{ cells: ExportCell[] }>(
      this.em.fork(),
      `select array[p.name, t.status, ${isoTimeSql('coalesce(t.started_at, t.created_at)')}, ${isoTimeSql('t.current_period_start')}, ${isoTimeSql('t.current_period_end')}, t.cancel_at_period_end::text, ${isoTimeSql('t.canceled_at')}] as cells
       from user_subscriptions t left join subscription_plans p on p.id = t.plan_id where t.user_id = ? order by t.created_at, t.id`,
      [userId],
    );
    for (const { cells } of found) yield cells;
  }
}
