import { Migration } from '@mikro-orm/migrations';

/**
 * First and last names of contacts, labels of their further columns, and the job that fills in both for existing
 * contacts.
 */
export class Migration20261122172100_contact_name_parts extends Migration {

  override name = 'Migration20261122172100_contact_name_parts';

  override up(): void {
    this.addSql(`alter table "subscriptions" add column "first_name" text null, add column "last_name" text null;`);
    this.addSql(`create table "contact_fields" ("email_list_id" uuid not null, "label" text not null, primary key ("email_list_id", "label"));`);
    this.addSql(`alter table "contact_fields" add constraint "contact_fields_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete cascade;`);
    this.addSql(`create table "contact_backfills" ("name" text not null, "last_id" uuid null, "finished_at" timestamptz null, primary key ("name"));`);
    this.addSql(`insert into "contact_backfills" ("name") values ('name_parts');`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_backfills";`);
    this.addSql(`drop table if exists "contact_fields";`);
    this.addSql(`alter table "subscriptions" drop column "first_name", drop column "last_name";`);
  }

}
