import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Retention } from '../../retention/retention.js';

/**
 * Deletes the rows of system mails after RETAIN_SYSTEM_MAIL_DAYS. The text of a mail is erased as soon as it was sent.
 */
@Injectable()
export class SystemMailRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      table: 'system_mails',
      by: 'created_at',
      params: [this.settings.retention.systemMail],
      where: `t.created_at < now() - make_interval(days => ?::int) and t.status in ('sent', 'failed')`,
    });
  }
}
