import { Migration } from '@mikro-orm/migrations';

/**
 * Removes the foreign key from deliveries to their mail account; user, contact and list have none either. All
 * deliveries of a send have the same account, yet the key looked it up for each of them during expansion (4 of 29 µs a
 * row). With the key, deleting a mail account also read and rewrote all deliveries while the account was locked.
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
