import { Migration } from '@mikro-orm/migrations';

/** People to whom users may send tests, and the tests themselves. */
export class Migration20261127020000_testers extends Migration {

  override name = 'Migration20261127020000_testers';

  override up(): void {
    this.addSql(`create table "testers" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "address" text not null, "address_hash" bytea not null, "token_hash" text not null,
      "asked_at" timestamptz not null default now(), "confirmed_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create unique index "testers_address_unique" on "testers" ("user_id", "address_hash");`);
    this.addSql(`create unique index "testers_token_unique" on "testers" ("token_hash");`);
    this.addSql(`create index "testers_address_index" on "testers" ("address_hash");`);
    this.addSql(`create index "testers_waiting_index" on "testers" ("asked_at") where confirmed_at is null;`);
    this.addSql(`alter table "testers" add constraint "testers_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "test_mails" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "address_hash" bytea not null, "payload" bytea null, "status" text not null default 'queued', "reason" text null,
      "attempts" int not null default 0, "next_attempt_at" timestamptz not null default now(), "lease_until" timestamptz null, "created_at" timestamptz not null default now(), "settled_at" timestamptz null,
      primary key ("id"), constraint "test_mails_status_check" check (status in ('queued', 'sending', 'sent', 'failed')));`);
    this.addSql(`create index "test_mails_due_index" on "test_mails" ("next_attempt_at", "id") where status in ('queued', 'sending');`);
    this.addSql(`create index "test_mails_user_index" on "test_mails" ("user_id", "created_at" desc);`);
    this.addSql(`create index "test_mails_address_index" on "test_mails" ("address_hash");`);
    this.addSql(`create index "test_mails_old_index" on "test_mails" ("created_at");`);
    this.addSql(`alter table "test_mails" add constraint "test_mails_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
  }

  override down(): void {
    for (const table of ['test_mails', 'testers']) this.addSql(`drop table if exists "${table}" cascade;`);
  }

}
