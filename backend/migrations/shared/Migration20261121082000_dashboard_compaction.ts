import { Migration } from '@mikro-orm/migrations';

/** Finds the counters of single connections, which an hourly job adds up. */
export class Migration20261121082000_dashboard_compaction extends Migration {
  override name = 'Migration20261121082000_dashboard_compaction';

  override up(): void {
    this.addSql(`create index "contact_trends_apart_index" on "contact_trends" ("quarter") where backend <> 0`);
    this.addSql(`create index "delivery_tallies_apart_index" on "delivery_tallies" ("history_id") where backend <> 0`);
  }

  override down(): void {
    this.addSql(`drop index "contact_trends_apart_index"`);
    this.addSql(`drop index "delivery_tallies_apart_index"`);
  }
}
