import { Migration } from '@mikro-orm/migrations';
import { deliveryFaultsDown, deliveryFaultsUp } from '../sql/delivery-faults.sql.js';

/** Bounces and complaints about a message, and the trigger that records refusals by the mail server among them. */
export class Migration20261121080441_bounce_reports extends Migration {
  override name = 'Migration20261121080441_bounce_reports';

  override up(): void {
    this.addSql(`create table "bounce_reports" ("id" uuid not null default gen_random_uuid(), "mail_kind" text not null, "mail_id" uuid not null, "report_key" text not null, "user_id" uuid null, "history_id" uuid null, "address_hash" bytea not null, "class" text not null, "code" text null, "said" text null, "created_at" timestamptz not null default now(), "applied_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create index "bounce_reports_open_index" on "bounce_reports" ("history_id") where applied_at is null;`);
    this.addSql(`create index "bounce_reports_user_index" on "bounce_reports" ("user_id", "created_at");`);
    this.addSql(`create index "bounce_reports_address_index" on "bounce_reports" ("address_hash", "created_at");`);
    this.addSql(`alter table "bounce_reports" add constraint "bounce_reports_unique" unique ("mail_kind", "mail_id", "report_key");`);
    this.addSql(`alter table "bounce_reports" add constraint "bounce_reports_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "bounce_reports" add constraint "bounce_reports_class_check" check (class in ('hard-address', 'mailbox-soft', 'expired', 'policy', 'complaint'));`);
    this.addSql(`alter table "bounce_reports" add constraint "bounce_reports_kind_check" check (mail_kind in ('delivery', 'system'));`);
    for (const sql of deliveryFaultsUp) this.addSql(sql);
  }

  override down(): void {
    for (const sql of deliveryFaultsDown) this.addSql(sql);
    this.addSql(`drop table if exists "bounce_reports" cascade;`);
  }
}
