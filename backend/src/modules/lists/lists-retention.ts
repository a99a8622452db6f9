import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { UTC_TODAY } from '../../shared/database/queries/columns.js';
import { ErasureRules } from '../../shared/personal-data.js';
import { Retention } from '../../shared/retention/retention.js';
import { BUDGET_HOURS, RECORD_DAYS } from './outreach/outreach-budget.service.js';

/** Batches are small, because each deleted import also deletes up to 10,000 rejects. */
const IMPORTS_PER_STATEMENT = 20;
/** Days for which DNS answers are kept; they are used for a week. */
const DOMAIN_DAYS = 30;
/** Days for which trends are kept; the dashboard shows 30 days in any time zone. */
const TREND_DAYS = 60;

/**
 * Deletes import reports and rejects after RETAIN_IMPORTS_DAYS; attested imports are evidence and stay. outreach_asks
 * and referral_opt_outs (hashes only) stay for good, because they protect people from being asked again.
 */
@Injectable()
export class ListsRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    // Lists are deleted one at a time, because a trigger retires the unsubscribe links of all contacts of a list.
    this.erasure.add(
      // Staged lines are deleted before their import, because a trigger would delete all of them in one statement.
      {
        step: 'details',
        table: 'contact_import_rows',
        where: 't.import_id in (select id from contact_imports where user_id = ?)',
        batch: 20_000,
      },
      { step: 'details', table: 'contact_imports', where: 't.user_id = ? and t.email_list_id is null', batch: 1 },
      { step: 'parents', table: 'email_lists', where: 't.owner_id = ?', batch: 1 },
    );
    this.retention.add(
      {
        table: 'contact_imports',
        by: 'finished_at',
        params: [this.settings.retention.imports],
        batch: IMPORTS_PER_STATEMENT,
        where: `t.finished_at < now() - make_interval(days => ?::int) and t.attestation is null`,
      },
      { table: 'mail_domains', by: 'looked_up_at', where: `t.looked_up_at < now() - interval '${DOMAIN_DAYS} days'` },
      { table: 'contact_trends', by: 'quarter', where: `t.quarter < now() - interval '${TREND_DAYS} days'` },
      { table: 'outreach_days', by: 'day', where: `t.day <= ${UTC_TODAY} - ${RECORD_DAYS}` },
      { table: 'outreach_hours', by: 'hour', where: `t.hour < now() - interval '${BUDGET_HOURS} hours'` },
      { table: 'lifted_suppressions', by: 'lifted_at', where: `t.lifted_at < now() - interval '30 days'` },
    );
  }
}
