import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { type ExportCell, ExportParts } from '../../shared/export/export-parts.js';

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Paid terms, for the download of an account's own data; cards and invoices are Stripe's, behind the billing portal. */
@Injectable()
export class BillingExport implements OnModuleInit {
  constructor(private readonly em: EntityManager, private readonly parts: ExportParts) {}

  onModuleInit(): void {
    this.parts.add({ file: 'paid-plans.csv', header: ['plan', 'status', 'started', 'period from', 'period to', 'ends with the period', 'canceled'], rows: (userId) => this.terms(userId) });
  }

  private async *terms(userId: string): AsyncGenerator<ExportCell[]> {
    const found = await rows<{ cells: ExportCell[] }>(
      this.em.fork(),
      `select array[p.name, t.status, ${iso('coalesce(t.started_at, t.created_at)')}, ${iso('t.current_period_start')}, ${iso('t.current_period_end')}, t.cancel_at_period_end::text, ${iso('t.canceled_at')}] as cells
       from user_subscriptions t left join subscription_plans p on p.id = t.plan_id where t.user_id = ? order by t.created_at, t.id`,
      [userId],
    );
    for (const { cells } of found) yield cells;
  }
}
