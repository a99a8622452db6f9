import { Migration } from '@mikro-orm/migrations';

/**
 * Every search reads the whole list of entries that wait to be sorted into the trigram index. At the default of 4 MB
 * that takes longer than all the rest of the search once an import has filled it; imports are as quick with 256 kB.
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
