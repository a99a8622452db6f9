import { Migration } from '@mikro-orm/migrations';

/**
 * Finds the next contacts of a bulk change by id, without sorting all contacts of the account. Built without locking
 * writes.
 */
export class Migration20261123080200_profile_order_index extends Migration {
  override name = 'Migration20261123080200_profile_order_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "contact_profiles_order_index";`);
    this.addSql(`create index concurrently "contact_profiles_order_index" on "contact_profiles" ("owner_id", "id");`);
  }

  override down(): void {
    this.addSql(`drop index if exists "contact_profiles_order_index";`);
  }
}
