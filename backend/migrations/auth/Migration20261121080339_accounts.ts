import { Migration } from '@mikro-orm/migrations';
import { accountEndDown, accountEndUp } from '../sql/account-end.sql.js';

/** Profile pictures, the audit trail, and triggers for data that outlives a deleted account. */

export class Migration20261121080339_accounts extends Migration {

  override name = 'Migration20261121080339_accounts';

  override up(): void | Promise<void> {
    this.addSql(`create table "audit_events" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "actor_id" uuid null, "kind" text not null, "reason" text null, "ip_address" text null, "user_agent" text null, "at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "audit_events_actor_index" on "audit_events" ("actor_id");`);
    this.addSql(`create index "audit_events_at_index" on "audit_events" ("at", "id");`);
    this.addSql(`create index "audit_events_user_index" on "audit_events" ("user_id", "at", "id");`);

    this.addSql(`create table "user_avatars" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "content_type" text not null, "content" bytea not null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "user_avatars" add constraint "user_avatars_user_unique" unique ("user_id");`);

    this.addSql(`alter table "suppressions" drop constraint "suppressions_owner_id_foreign";`);

    this.addSql(`create index "consent_events_owner_index" on "consent_events" ("owner_id");`);

    this.addSql(`alter table "users" add "deleted_at" timestamptz null;`);
    this.addSql(`create index "users_deleted_index" on "users" ("deleted_at") where deleted_at is not null;`);

    this.addSql(`alter table "audit_events" add constraint "audit_events_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "audit_events" add constraint "audit_events_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;`);

    this.addSql(`alter table "user_avatars" add constraint "user_avatars_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "user_avatars" add constraint "user_avatars_size_check" check (octet_length(content) <= 524288);`);
    this.addSql(`alter table "user_avatars" add constraint "user_avatars_type_check" check (content_type in ('image/png', 'image/jpeg', 'image/webp'));`);

    for (const sql of accountEndUp) this.addSql(sql);
  }

  override down(): void | Promise<void> {
    for (const sql of accountEndDown) this.addSql(sql);
    this.addSql(`delete from "suppressions" s where s."owner_id" is not null and not exists (select 1 from "users" u where u."id" = s."owner_id");`);
    this.addSql(`drop table if exists "audit_events" cascade;`);
    this.addSql(`drop table if exists "user_avatars" cascade;`);

    this.addSql(`drop index "consent_events_owner_index";`);

    this.addSql(`alter table "suppressions" add constraint "suppressions_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`drop index "users_deleted_index";`);
    this.addSql(`alter table "users" drop column "deleted_at";`);
  }

}
