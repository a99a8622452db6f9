import { Migration } from '@mikro-orm/migrations';

const INDEXES = {
  bounce_reports_old_index: `"bounce_reports" ("created_at") where class <> 'complaint'`,
  contact_trends_old_index: `"contact_trends" ("quarter")`,
  system_mails_old_index: `"system_mails" ("created_at") where status in ('sent', 'failed')`,
  contact_imports_old_index: `"contact_imports" ("finished_at") where attestation is null`,
};

/** Indexes for the nightly purge. Built without locking writes. */
export class Migration20261122084500_retention_indexes extends Migration {

  override name = 'Migration20261122084500_retention_indexes';

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
