import { Migration } from '@mikro-orm/migrations';

const INDEXES: Record<string, string> = {
  subscriptions_opt_in_turn: `"subscriptions" ("email_list_id", coalesce("opt_in_source", "source"), "opt_in_due_at", "id") where opt_in_state = 'due'`,
  system_mails_turn_index: `"system_mails" ("priority", "next_attempt_at", "id") where status in ('queued', 'sending')`,
  system_mails_mailbox_index: `"system_mails" ("recipient_mailbox", "kind", "created_at")`,
  suppressions_mailbox_index: `"suppressions" ("mailbox_hash") where mailbox_hash is not null`,
  referral_opt_outs_mailbox_index: `"referral_opt_outs" ("mailbox_hash") where opted_out_at is not null`,
};

/**
 * Indexes for the outreach tables and columns, built without locking writes. Drops subscriptions_opt_in_due, which no
 * query uses any more.
 */
export class Migration20261122074600_outreach_indexes extends Migration {
  override name = 'Migration20261122074600_outreach_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, on] of Object.entries(INDEXES)) {
      this.addSql(`drop index concurrently if exists "${name}";`);
      this.addSql(`create index concurrently "${name}" on ${on};`);
    }
    this.addSql(`drop index concurrently if exists "subscriptions_opt_in_due";`);
  }

  override down(): void {
    this.addSql(`create index if not exists "subscriptions_opt_in_due" on "subscriptions" ("email_list_id", "source", "opt_in_due_at", "id") where opt_in_state = 'due';`);
    for (const name of Object.keys(INDEXES)) this.addSql(`drop index if exists "${name}";`);
  }
}
