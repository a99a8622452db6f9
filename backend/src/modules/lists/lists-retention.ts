import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { UTC_TODAY } from '../../shared/database/utc-day.js';
import { ErasureRules } from '../../shared/erasure/erasure-rules.js';
import { Retention } from '../../shared/retention/retention.js';
import { BUDGET_HOURS, RECORD_DAYS } from './outreach/outreach-budget.service.js';

/** Each may take 10,000 lines that did not go in with it. */
const IMPORTS_AT_ONCE = 20;
/** The dashboard shows 30 days of what came and went, in anybody's time zone. */
const TREND_DAYS = 60;

/**
 * Reports of imports, with the lines that did not go in, are kept for RETAIN_IMPORTS_DAYS; attested ones stay, they are evidence. Who was asked
 * and who opted out (outreach_asks, referral_opt_outs: hashes only) stays for good: it protects people from being asked again.
 */
@Injectable()
export class ListsRetention implements OnModuleInit {
  constructor(private readonly retention: Retention, private readonly erasure: ErasureRules, private readonly settings: Settings) {}

  onModuleInit(): void {
    // One list at a time: its trigger keeps the unsubscribe links of its contacts.
    this.erasure.add({ step: 'parents', table: 'email_lists', where: 't.owner_id = ?', batch: 1 });
    this.retention.add(
      {
        table: 'contact_imports', by: 'finished_at', params: [this.settings.retention.imports], batch: IMPORTS_AT_ONCE,
        where: `t.finished_at < now() - make_interval(days => ?::int) and t.attestation is null`,
      },
      { table: 'contact_trends', by: 'quarter', where: `t.quarter < now() - interval '${TREND_DAYS} days'` },
      { table: 'outreach_days', by: 'day', where: `t.day <= ${UTC_TODAY} - ${RECORD_DAYS}` },
      { table: 'outreach_hours', by: 'hour', where: `t.hour < now() - interval '${BUDGET_HOURS} hours'` },
      { table: 'lifted_suppressions', by: 'lifted_at', where: `t.lifted_at < now() - interval '30 days'` },
    );
  }
}
