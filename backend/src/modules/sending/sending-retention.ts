import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { Retention } from '../../shared/retention/retention.js';

/** Who got which message is kept for RETAIN_DELIVERY_LOGS_DAYS; a send's entry stays. */
@Injectable()
export class SendingRetention implements OnModuleInit {
  constructor(private readonly retention: Retention, private readonly settings: Settings) {}

  onModuleInit(): void {
    const params = [this.settings.retention.deliveryLogs];
    // Blocks go first: without them a search reads the rows, whichever are left.
    this.retention.add(
      { table: 'delivery_address_blocks', params, where: `t.created_at < now() - make_interval(days => ?::int)` },
      { table: 'email_delivery_logs', params, where: `t.created_at < now() - make_interval(days => ?::int) and t.status not in ('queued', 'sending', 'deferred')` },
    );
  }
}
