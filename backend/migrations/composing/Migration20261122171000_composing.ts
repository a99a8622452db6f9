import { Migration } from '@mikro-orm/migrations';

/** Drafts, templates, uploaded pictures, and the draft that a send was made from. */
export class Migration20261122171000_composing extends Migration {

  override name = 'Migration20261122171000_composing';

  override up(): void {
    this.addSql(`create table "email_drafts" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "version" int not null default 1, "email_type" text not null, "list_ids" jsonb not null default '[]', "subject" text not null default '', "preheader" text not null default '', "document" jsonb null, "content" text null, "step" smallint not null default 1, "last_device" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"), constraint "email_drafts_type_check" check (email_type in ('job-post', 'candidate-list')), constraint "email_drafts_body_check" check (document is null or content is null));`);
    this.addSql(`create index "email_drafts_user_index" on "email_drafts" ("user_id", "updated_at" desc, "id" desc);`);
    this.addSql(`create index "email_drafts_updated_index" on "email_drafts" ("updated_at");`);
    this.addSql(`alter table "email_drafts" add constraint "email_drafts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "email_templates" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "name" text not null, "version" int not null default 1, "email_type" text not null, "subject" text null, "document" jsonb not null, "used_at" timestamptz null, "use_count" int not null default 0, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"), constraint "email_templates_type_check" check (email_type in ('job-post', 'candidate-list')));`);
    this.addSql(`create index "email_templates_owner_index" on "email_templates" ("owner_id", "updated_at" desc, "id" desc);`);
    this.addSql(`create unique index "email_templates_name_unique" on "email_templates" ("owner_id", lower(name));`);
    this.addSql(`alter table "email_templates" add constraint "email_templates_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "files" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "kind" text not null, "name" text not null, "media_type" text not null, "byte_size" int not null, "sha256" bytea not null, "storage_key" text not null, "public_token" text null, "width" int not null, "height" int not null, "created_at" timestamptz not null default now(), "stored_at" timestamptz null, primary key ("id"), constraint "files_kind_check" check (kind in ('image')));`);
    this.addSql(`alter table "files" add constraint "files_content_unique" unique ("user_id", "sha256");`);
    this.addSql(`create index "files_unstored_index" on "files" ("created_at") where stored_at is null;`);
    this.addSql(`alter table "files" add constraint "files_storage_key_unique" unique ("storage_key");`);
    this.addSql(`alter table "files" add constraint "files_public_token_unique" unique ("public_token");`);
    this.addSql(`alter table "files" add constraint "files_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`alter table "email_history" add column "draft_id" uuid null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_history" drop column "draft_id";`);
    this.addSql(`drop table if exists "files";`);
    this.addSql(`drop table if exists "email_templates";`);
    this.addSql(`drop table if exists "email_drafts";`);
  }

}
