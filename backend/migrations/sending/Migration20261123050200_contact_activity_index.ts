import { Migration } from '@mikro-orm/migrations';

/** Finds the sends of an account whose deliveries are not in contact_activity yet; built without locking writes. */
export class Migration20261123050200_contact_activity_index extends Migration {
  override name = 'Migration20261123050200_contact_activity_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "email_history_activity_index";`);
    this.addSql(`create index concurrently "email_history_activity_index" on "email_history" ("user_id", "sent_at", "id") where activity_pending;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "email_history_activity_index";`);
  }
}
