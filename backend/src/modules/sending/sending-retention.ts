import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { ErasureRules } from '../../shared/erasure/erasure-rules.js';
import { Retention } from '../../shared/retention/retention.js';

/** Who got which message is kept for RETAIN_DELIVERY_LOGS_DAYS; a send's entry stays. */
@Injectable()
export class SendingRetention implements OnModuleInit {
  constructor(private readonly retention: Retention, private readonly erasure: ErasureRules, private readonly settings: Settings) {}

  onModuleInit(): void {
    const ofAccount = 't.history_id in (select id from email_history where user_id = ?)';
    this.erasure.add(
      { step: 'details', table: 'delivery_address_blocks', where: ofAccount, batch: 500 },
      { step: 'details', table: 'email_delivery_logs', where: ofAccount, batch: 5_000 },
    );
    const params = [this.settings.retention.deliveryLogs];
    // Blocks go first: without them a search reads the rows, whichever are left.
    this.retention.add(
      { table: 'delivery_address_blocks', params, where: `t.created_at < now() - make_interval(days => ?::int)` },
      { table: 'email_delivery_logs', params, where: `t.created_at < now() - make_interval(days => ?::int) and t.status not in ('queued', 'sending', 'deferred')` },
    );
  }
}
