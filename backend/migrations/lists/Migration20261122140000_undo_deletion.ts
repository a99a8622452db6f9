import { Migration } from '@mikro-orm/migrations';

/**
 * A deletion can be undone for some seconds: a deleted list stays in its table with a mark, a deleted contact moves to
 * `removed_contacts`. Delivery workers are notified of a marked list in the same way as of removed contacts, so that
 * they check the messages prepared for the list again.
 */
export class Migration20261122140000_undo_deletion extends Migration {

  override name = 'Migration20261122140000_undo_deletion';

  override up(): void {
    this.addSql(`alter table "email_lists" add column "deleted_at" timestamptz null;`);
    this.addSql(`create table "removed_contacts" ("id" uuid not null, "email_list_id" uuid not null, "email_hash" bytea not null, "contact" jsonb not null, "removed_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "removed_contacts_list_index" on "removed_contacts" ("email_list_id");`);
    this.addSql(`create index "removed_contacts_hash_index" on "removed_contacts" ("email_hash");`);
    this.addSql(`create index "removed_contacts_removed_index" on "removed_contacts" ("removed_at");`);
    this.addSql(`alter table "removed_contacts" add constraint "removed_contacts_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete cascade;`);
    this.addSql(`create function email_lists_consent_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('consent_changes', 'l:' || new.id);
  return null;
end
$body$`);
    this.addSql(`create trigger email_lists_consent_change after update of deleted_at on email_lists for each row
   when (old.deleted_at is null and new.deleted_at is not null) execute function email_lists_consent_change()`);
  }

  override down(): void {
    this.addSql(`drop trigger email_lists_consent_change on email_lists`);
    this.addSql(`drop function email_lists_consent_change()`);
    this.addSql(`drop table if exists "removed_contacts" cascade;`);
    this.addSql(`alter table "email_lists" drop column "deleted_at";`);
  }

}
