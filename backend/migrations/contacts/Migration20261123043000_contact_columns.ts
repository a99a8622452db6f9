import { Migration } from '@mikro-orm/migrations';

/** The columns that a user chose for the page of contacts. */
export class Migration20261123043000_contact_columns extends Migration {
  override name = 'Migration20261123043000_contact_columns';

  override up(): void {
    this.addSql(`create table "contact_columns" ("user_id" uuid not null, "columns" jsonb not null, primary key ("user_id"));`);
    this.addSql(`alter table "contact_columns" add constraint "contact_columns_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_columns" cascade;`);
  }
}
