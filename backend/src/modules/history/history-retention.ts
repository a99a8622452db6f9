import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureRules } from '../../shared/personal-data.js';
import { Retention } from '../../shared/retention/retention.js';

/** Deletes mailbox counts once their day has ended in every time zone, and the sends of deleted accounts. */
@Injectable()
export class HistoryRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
  ) {}

  onModuleInit(): void {
    this.erasure.add({ step: 'parents', table: 'email_history', where: 't.user_id = ?', batch: 20 });
    this.retention.add({ table: 'mailbox_usage', where: `t.date < current_date - 2` });
  }
}
