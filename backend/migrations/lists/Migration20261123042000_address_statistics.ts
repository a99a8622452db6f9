import { Migration } from '@mikro-orm/migrations';

/**
 * Finer statistics of addresses. With the usual hundred samples, one that happens to match a search counts for a
 * hundredth of the table: the planner then walks a list of a million from its newest contact (500 ms) instead of
 * looking the text up (5 ms).
 */
export class Migration20261123042000_address_statistics extends Migration {

  override name = 'Migration20261123042000_address_statistics';

  override up(): void {
    this.addSql(`alter table "subscriptions" alter column "email_norm" set statistics 1000;`);
  }

  override down(): void {
    this.addSql(`alter table "subscriptions" alter column "email_norm" set statistics -1;`);
  }

}
