import { Migration } from '@mikro-orm/migrations';

/**
 * Removes the foreign key from deliveries to their mail account; user, contact and list have none either. The account
 * is the same for all deliveries of a send, yet the key looked it up for each of them during expansion (4 of 29 µs a
 * row). Deleting a mail account read and rewrote all deliveries while it held its lock.
 */
export class Migration20261121212758_provider_key extends Migration {
  override name = 'Migration20261121212758_provider_key';

  override up(): void {
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_provider_id_foreign"`);
  }

  override down(): void {
    // Not valid, because mail accounts may have been deleted meanwhile.
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_provider_id_foreign" foreign key ("provider_id") references "email_providers" ("id") on delete set null not valid`);
  }
}
