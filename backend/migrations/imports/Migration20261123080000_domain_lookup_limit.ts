import { Migration } from '@mikro-orm/migrations';

/** An import looks up only some of the names below one registrable domain. */
export class Migration20261123080000_domain_lookup_limit extends Migration {
  override name = 'Migration20261123080000_domain_lookup_limit';

  override up(): void {
    this.addSql(
      `alter table "contact_import_domains" add column "is_over_limit" boolean not null default false;`,
    );
  }

  override down(): void {
    this.addSql(`alter table "contact_import_domains" drop column "is_over_limit";`);
  }
}
