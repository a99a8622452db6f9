import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureRules } from '../../shared/personal-data.js';
import { Retention } from '../../shared/retention/retention.js';

/** Days that a draft is kept after its last save. */
const DRAFT_DAYS = 400;
/** Days for which an unconfirmed tester is kept after the last confirmation mail, whose link works for 30 days. */
const WAITING_TESTER_DAYS = 60;
/** Rows of drafts or templates per DELETE statement; a row may hold 1 MB. */
const ROWS_PER_DELETE = 50;

/**
 * Purges old drafts and testers who never confirmed. Deletes drafts, templates and sender profiles of deleted accounts.
 */
@Injectable()
export class ComposingRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      table: 'email_drafts',
      by: 'updated_at',
      batch: ROWS_PER_DELETE,
      where: `t.updated_at < now() - interval '${DRAFT_DAYS} days'`,
    });
    this.retention.add({
      table: 'testers',
      by: 'asked_at',
      where: `t.confirmed_at is null and t.asked_at < now() - interval '${WAITING_TESTER_DAYS} days'`,
    });
    this.erasure.add(
      { step: 'parents', table: 'email_drafts', where: 't.user_id = ?', batch: ROWS_PER_DELETE },
      { step: 'parents', table: 'email_templates', where: 't.owner_id = ?', batch: ROWS_PER_DELETE },
      { step: 'parents', table: 'sender_profiles', where: 't.user_id = ?', batch: ROWS_PER_DELETE },
    );
  }
}
