import { Migration } from '@mikro-orm/migrations';

/**
 * A delivery's mail account without a foreign key, as its user, contact and list are: it is the same for all rows of a
 * send, yet was looked up for each of them while the send was laid out (4 of 29 us a row), and the end of an account
 * read and rewrote all deliveries under its lock.
 */
export class Migration20261121212758_provider_key extends Migration {
  override name = 'Migration20261121212758_provider_key';

  override up(): void {
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_provider_id_foreign"`);
  }

  override down(): void {
    // Not valid: accounts may have gone meanwhile.
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_provider_id_foreign" foreign key ("provider_id") references "email_providers" ("id") on delete set null not valid`);
  }
}
