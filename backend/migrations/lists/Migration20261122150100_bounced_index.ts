import { Migration } from '@mikro-orm/migrations';

/** Counts the bounced contacts of a list without reading all of its contacts. Built without locking writes. */
export class Migration20261122150100_bounced_index extends Migration {

  override name = 'Migration20261122150100_bounced_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "subscriptions_bounced_index";`);
    this.addSql(`create index concurrently "subscriptions_bounced_index" on "subscriptions" ("email_list_id", "confirmed") where suppressed = 'bounced';`);
  }

  override down(): void {
    this.addSql(`drop index if exists "subscriptions_bounced_index";`);
  }

}
