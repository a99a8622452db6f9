import { Migration } from '@mikro-orm/migrations';

/**
 * Expansion of large sends in chunks, domains that asked to slow down, slow starts of new mail accounts, and free space
 * in pages for updates of delivery rows.
 */
export class Migration20261121084700_delivery_engine extends Migration {
  override name = 'Migration20261121084700_delivery_engine';

  override up(): void {
    this.addSql(`create table "send_layouts" ("history_id" uuid not null, "list_ids" jsonb not null, "last_email" text not null default '', "laid_out" int not null default 0, "created_at" timestamptz not null default now(), primary key ("history_id"));`);
    this.addSql(`alter table "send_layouts" add constraint "send_layouts_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on update cascade on delete cascade;`);
    this.addSql(`create table "delivery_lanes" ("domain" text not null, "slow_until" timestamptz not null, "next_at" timestamptz not null, "reason" text not null, primary key ("domain"));`);
    this.addSql(`create table "provider_hours" ("provider_id" uuid not null, "hour" timestamptz not null, "messages" int not null default 0, primary key ("provider_id", "hour"));`);
    this.addSql(`alter table "provider_hours" add constraint "provider_hours_provider_id_foreign" foreign key ("provider_id") references "email_providers" ("id") on delete cascade;`);
    this.addSql(`alter table "email_delivery_logs" set (fillfactor = 75)`);
  }

  override down(): void {
    this.addSql(`alter table "email_delivery_logs" reset (fillfactor)`);
    this.addSql(`drop table "provider_hours"`);
    this.addSql(`drop table "delivery_lanes"`);
    this.addSql(`drop table "send_layouts"`);
  }
}
