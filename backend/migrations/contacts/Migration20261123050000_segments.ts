import { Migration } from '@mikro-orm/migrations';

/** Saved filters over profiles. */
export class Migration20261123050000_segments extends Migration {
  override name = 'Migration20261123050000_segments';

  override up(): void {
    this.addSql(`create table "segments" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "name" text not null, "filter" jsonb not null, "labels" jsonb not null default '{}', "version" int not null default 1,
      "last_count" int null, "counted_at" timestamptz null, "last_used_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create unique index "segments_name_unique" on "segments" ("owner_id", lower(name));`);
    this.addSql(`alter table "segments" add constraint "segments_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "segments" cascade;`);
  }
}
