import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '../../shared/retention/retention.js';

/** The count of a mailbox is needed until its day has ended in every time zone. */
@Injectable()
export class HistoryRetention implements OnModuleInit {
  constructor(private readonly retention: Retention) {}

  onModuleInit(): void {
    this.retention.add({ table: 'mailbox_usage', where: `t.date < current_date - 2` });
  }
}
