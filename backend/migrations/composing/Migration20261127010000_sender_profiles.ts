import { Migration } from '@mikro-orm/migrations';

/**
 * Sender profiles, a draft's choice of the parts of the profile that it uses, and the business address that a send was
 * made with.
 */
export class Migration20261127010000_sender_profiles extends Migration {
  override name = 'Migration20261127010000_sender_profiles';

  override up(): void {
    this.addSql(`create table "sender_profiles" ("user_id" uuid not null, "version" int not null default 1, "title" text null, "phone" text null, "website" text null, "profile_url" text null, "address_line1" text null, "address_line2" text null, "city" text null, "region" text null, "postal_code" text null, "country" text null, "signature" jsonb null, "footer" jsonb null, "logo_file_id" uuid null, "accent" text null, "show_logo" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("user_id"), constraint "sender_profiles_accent_check" check (accent in ('red', 'orange', 'green', 'teal', 'blue', 'purple', 'brown', 'gray')));`);
    this.addSql(`create index "sender_profiles_logo_index" on "sender_profiles" ("logo_file_id");`);
    this.addSql(`alter table "sender_profiles" add constraint "sender_profiles_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "sender_profiles" add constraint "sender_profiles_logo_file_id_foreign" foreign key ("logo_file_id") references "files" ("id") on delete set null;`);
    this.addSql(`alter table "email_drafts" add column "options" jsonb null;`);
    this.addSql(`alter table "email_history" add column "sender_address" text null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_history" drop column "sender_address";`);
    this.addSql(`alter table "email_drafts" drop column "options";`);
    this.addSql(`drop table if exists "sender_profiles";`);
  }
}
