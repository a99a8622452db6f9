import { Migration } from '@mikro-orm/migrations';

/** One index each for waiting deliveries, deliveries being sent, and retries. Built without locking writes. */
export class Migration20261122080100_delivery_indexes extends Migration {
  override name = 'Migration20261122080100_delivery_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "email_delivery_logs_waiting_index";`);
    this.addSql(`create index concurrently "email_delivery_logs_waiting_index" on "email_delivery_logs" ("history_id", "position") where status in ('queued', 'deferred');`);
    this.addSql(`drop index concurrently if exists "email_delivery_logs_sending_index";`);
    this.addSql(`create index concurrently "email_delivery_logs_sending_index" on "email_delivery_logs" ("history_id", "position") where status = 'sending';`);
    this.addSql(`drop index concurrently if exists "email_delivery_logs_retry_index";`);
    this.addSql(`create index concurrently "email_delivery_logs_retry_index" on "email_delivery_logs" ("history_id", "next_attempt_at") where status in ('queued', 'deferred') and next_attempt_at is not null;`);
    this.addSql(`drop index concurrently if exists "email_delivery_logs_open_index";`);
  }

  override down(): void {
    this.addSql(`create index "email_delivery_logs_open_index" on "email_delivery_logs" ("history_id", "position") where status in ('queued', 'sending', 'deferred');`);
    for (const name of ['waiting', 'sending', 'retry']) this.addSql(`drop index if exists "email_delivery_logs_${name}_index";`);
  }
}
