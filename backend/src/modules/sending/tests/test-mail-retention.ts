import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureRules } from '../../../shared/personal-data.js';
import { Retention } from '../../../shared/retention/retention.js';

const KEPT_DAYS = 30;
const ERASED_PER_BATCH = 500;

/** Deletes old test mails, and those of deleted accounts. */
@Injectable()
export class TestMailRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      table: 'test_mails',
      by: 'created_at',
      where: `t.created_at < now() - interval '${KEPT_DAYS} days'`,
    });
    this.erasure.add({ step: 'parents', table: 'test_mails', where: 't.user_id = ?', batch: ERASED_PER_BATCH });
  }
}
