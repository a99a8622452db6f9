import { Migration } from '@mikro-orm/migrations';

/** Finds old outreach days for the nightly purge. Built without locking writes. */
export class Migration20261122093000_outreach_retention_index extends Migration {

  override name = 'Migration20261122093000_outreach_retention_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "outreach_days_day_index";`);
    this.addSql(`create index concurrently "outreach_days_day_index" on "outreach_days" ("day");`);
  }

  override down(): void {
    this.addSql(`drop index if exists "outreach_days_day_index";`);
  }

}
