import { Migration } from '@mikro-orm/migrations';

/**
 * Finds the recently cut rates of a mail account, which workers query every other second. Without the index they would
 * read all rates. Built without locking writes.
 */
export class Migration20261125090100_cut_rates_index extends Migration {
  override name = 'Migration20261125090100_cut_rates_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "provider_rates_cut_index";`);
    this.addSql(
      `create index concurrently "provider_rates_cut_index" on "provider_rates" ("account", "cut_at") where cut_at is not null;`,
    );
  }

  override down(): void {
    this.addSql(`drop index if exists "provider_rates_cut_index";`);
  }
}
