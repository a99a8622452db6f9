import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureRules } from '../../shared/personal-data.js';
import { Retention } from '../../shared/retention/retention.js';

const BULK_JOB_DAYS = 30;
const ENDED_RULE_DAYS = 30;

/**
 * Deletes an account's profiles in batches when the account is deleted. Purges bulk changes and do-not-send rules that
 * ended long ago.
 */
@Injectable()
export class ContactsRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
  ) {}

  onModuleInit(): void {
    this.erasure.add(
      { step: 'details', table: 'contact_notes', where: 't.owner_id = ?', batch: 5_000 },
      { step: 'parents', table: 'contact_profiles', where: 't.owner_id = ?', batch: 5_000 },
    );
    this.retention.add(
      {
        table: 'contact_bulk_jobs',
        by: 'finished_at',
        where: `t.finished_at < now() - interval '${BULK_JOB_DAYS} days'`,
      },
      {
        table: 'do_not_send_rules',
        by: 'expires_at',
        where: `t.expires_at < now() - interval '${ENDED_RULE_DAYS} days'`,
      },
    );
  }
}
