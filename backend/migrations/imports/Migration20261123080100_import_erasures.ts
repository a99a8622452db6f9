import { Migration } from '@mikro-orm/migrations';

/** Addresses of people who were erased while an import was running, so that it skips the lines with them. */
export class Migration20261123080100_import_erasures extends Migration {
  override name = 'Migration20261123080100_import_erasures';

  override up(): void {
    this.addSql(
      `create table "contact_import_erasures" ("import_id" uuid not null, "address_hash" bytea not null, primary key ("import_id", "address_hash"));`,
    );
    this.addSql(
      `alter table "contact_import_erasures" add constraint "contact_import_erasures_import_id_foreign" foreign key ("import_id") references "contact_imports" ("id") on delete cascade;`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_import_erasures" cascade;`);
  }
}
