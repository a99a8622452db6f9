import { Migration } from '@mikro-orm/migrations';

const INDEXES = {
  network_mails_day_index: `"network_mails" ("day")`,
  auth_credentials_reset_expires_index: `"auth_credentials" ("reset_token_expires") where reset_token_expires is not null`,
};

/** Indexes for the hourly purges. Built without locking writes. */
export class Migration20261122114500_hourly_purge_indexes extends Migration {

  override name = 'Migration20261122114500_hourly_purge_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, on] of Object.entries(INDEXES)) {
      this.addSql(`drop index concurrently if exists "${name}";`);
      this.addSql(`create index concurrently "${name}" on ${on};`);
    }
  }

  override down(): void {
    for (const name of Object.keys(INDEXES)) this.addSql(`drop index if exists "${name}";`);
  }

}
