import { Migration } from '@mikro-orm/migrations';

/**
 * Limits the trigram index's pending list to 256 kB. Every search reads the whole list. Once an import has filled it at
 * the default of 4 MB, that takes longer than the rest of the search. Imports are just as fast with 256 kB.
 */
export class Migration20261122115000_trigram_pending_list extends Migration {

  override name = 'Migration20261122115000_trigram_pending_list';

  override up(): void {
    this.addSql(`alter index "subscriptions_email_trigram" set (gin_pending_list_limit = 256);`);
  }

  override down(): void {
    this.addSql(`alter index "subscriptions_email_trigram" reset (gin_pending_list_limit);`);
  }

}
