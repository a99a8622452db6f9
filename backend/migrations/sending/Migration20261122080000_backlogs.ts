import { Migration } from '@mikro-orm/migrations';

/**
 * Ranges and backlogs, which replace rewriting the waiting delivery rows; learned rates; and the hosts of recipient
 * domains.
 */
export class Migration20261122080000_backlogs extends Migration {
  override name = 'Migration20261122080000_backlogs';

  override up(): void {
    this.addSql(`create table "delivery_ranges" ("history_id" uuid not null, "first_position" int not null, "last_position" int not null, "next_position" int not null, "leased_until" timestamptz null, "leased_by" uuid null, primary key ("history_id", "first_position"));`);
    this.addSql(`alter table "delivery_ranges" add constraint "delivery_ranges_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);

    this.addSql(`create table "delivery_backlogs" ("history_id" uuid not null, "provider" text not null, "account" text not null, "waiting" int not null, "wake_at" timestamptz not null default now(), "served_at" timestamptz null, "leased_until" timestamptz null, "created_at" timestamptz not null default now(), primary key ("history_id", "provider"));`);
    this.addSql(`create index "delivery_backlogs_wake_index" on "delivery_backlogs" ("wake_at");`);
    this.addSql(`alter table "delivery_backlogs" add constraint "delivery_backlogs_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);

    this.addSql(`create table "delivery_backlog_parts" ("id" uuid not null default gen_random_uuid(), "history_id" uuid not null, "provider" text not null, "first_position" int not null, "positions" int[] not null, "taken" int not null default 0, primary key ("id"));`);
    this.addSql(`create index "delivery_backlog_parts_order_index" on "delivery_backlog_parts" ("history_id", "provider", "first_position");`);
    this.addSql(`alter table "delivery_backlog_parts" add constraint "delivery_backlog_parts_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
    // Stored out of line, so that an update of `taken` does not rewrite the positions.
    this.addSql(`alter table "delivery_backlog_parts" alter column "positions" set storage external;`);

    this.addSql(`create table "provider_rates" ("account" text not null, "provider" text not null, "next_at" timestamptz null, "used_at" timestamptz not null default now(), "cut_at" timestamptz null, "paused_until" timestamptz null, "base" double precision null, "ceiling" double precision null, "good_seconds" double precision not null default 0, "last_answer" text null, primary key ("account", "provider"));`);
    this.addSql(`create index "provider_rates_used_index" on "provider_rates" ("used_at");`);
    this.addSql(`create table "provider_minutes" ("account" text not null, "provider" text not null, "minute" timestamptz not null, "accepted" int not null default 0, "refused" int not null default 0, primary key ("account", "provider", "minute"));`);
    this.addSql(`create index "provider_minutes_minute_index" on "provider_minutes" ("minute");`);

    this.addSql(`create table "recipient_domains" ("domain" text not null, "provider" text null, "looked_up_at" timestamptz not null default now(), primary key ("domain"));`);
    this.addSql(`create index "recipient_domains_looked_up_index" on "recipient_domains" ("looked_up_at");`);
  }

  override down(): void {
    for (const table of ['delivery_ranges', 'delivery_backlogs', 'delivery_backlog_parts', 'provider_rates', 'provider_minutes', 'recipient_domains']) this.addSql(`drop table if exists "${table}" cascade;`);
  }
}
