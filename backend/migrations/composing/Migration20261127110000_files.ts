import { Migration } from '@mikro-orm/migrations';

/** Uploaded documents, the links to them in sent messages, and the files of drafts. */
export class Migration20261127110000_files extends Migration {
  override name = 'Migration20261127110000_files';

  override up(): void {
    this.addSql(`alter table "files" add column "scan" text not null default 'unscanned', add column "scanned_at" timestamptz null, add column "used_at" timestamptz not null default now(), add column "deleted_at" timestamptz null, add column "reports" int not null default 0, add column "reported_at" timestamptz null, add column "taken_down_at" timestamptz null;`);
    this.addSql(`alter table "files" alter column "width" drop not null;`);
    this.addSql(`alter table "files" alter column "height" drop not null;`);
    this.addSql(`alter table "files" drop constraint "files_kind_check";`);
    this.addSql(`alter table "files" add constraint "files_kind_check" check (kind in ('image', 'document')) not valid;`);
    this.addSql(`alter table "files" add constraint "files_measures_check" check (kind <> 'image' or num_nulls(width, height) = 0) not valid;`);
    this.addSql(`alter table "files" add constraint "files_scan_check" check (scan in ('pending', 'clean', 'infected', 'unscanned')) not valid;`);
    this.addSql(`alter table "files" validate constraint "files_kind_check";`);
    this.addSql(`alter table "files" validate constraint "files_measures_check";`);
    this.addSql(`alter table "files" validate constraint "files_scan_check";`);

    this.addSql(`create table "file_links" ("id" uuid not null default gen_random_uuid(), "file_id" uuid not null, "user_id" uuid not null, "history_id" uuid null, "token" text not null, "expires_in_days" smallint not null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, "downloads" int not null default 0, "automated" int not null default 0, "last_download_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"), constraint "file_links_days_check" check (expires_in_days in (7, 30, 90)));`);
    this.addSql(`alter table "file_links" add constraint "file_links_token_unique" unique ("token");`);
    this.addSql(`alter table "file_links" add constraint "file_links_send_unique" unique ("file_id", "history_id");`);
    this.addSql(`create index "file_links_history_index" on "file_links" ("history_id");`);
    this.addSql(`create index "file_links_tests_index" on "file_links" ("expires_at") where history_id is null;`);
    this.addSql(`create index "file_links_user_index" on "file_links" ("user_id");`);
    this.addSql(`alter table "file_links" add constraint "file_links_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade;`);
    this.addSql(`alter table "file_links" add constraint "file_links_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "file_links" add constraint "file_links_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);

    this.addSql(`alter table "email_drafts" add column "files" jsonb not null default '[]';`);
  }

  override down(): void {
    this.addSql(`alter table "email_drafts" drop column "files";`);
    this.addSql(`drop table if exists "file_links";`);
    this.addSql(`delete from "files" where kind <> 'image';`);
    this.addSql(`alter table "files" drop constraint "files_scan_check";`);
    this.addSql(`alter table "files" drop constraint "files_measures_check";`);
    this.addSql(`alter table "files" drop constraint "files_kind_check";`);
    this.addSql(`alter table "files" add constraint "files_kind_check" check (kind in ('image'));`);
    this.addSql(`alter table "files" alter column "height" set not null;`);
    this.addSql(`alter table "files" alter column "width" set not null;`);
    this.addSql(`alter table "files" drop column "taken_down_at", drop column "reported_at", drop column "reports", drop column "deleted_at", drop column "used_at", drop column "scanned_at", drop column "scan";`);
  }
}
