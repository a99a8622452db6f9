import { Migration } from '@mikro-orm/migrations';
import { networkPlacesDown, networkPlacesUp } from '../sql/network-places.sql.js';

/** The network's daily cap: each mail to an address counts against the address's limit for that day. */
export class Migration20261121075824_network_cap extends Migration {
  override name = 'Migration20261121075824_network_cap';

  override up(): void {
    this.addSql(`create table "network_mails" ("address_hash" bytea not null, "day" date not null, "slot" int not null, "delivery_id" uuid not null, "sender_id" uuid not null, "created_at" timestamptz not null default now(), primary key ("address_hash", "day", "slot"));`);
    this.addSql(`alter table "network_mails" add constraint "network_mails_delivery_unique" unique ("delivery_id", "day");`);
    this.addSql(`create index "email_delivery_logs_network_index" on "email_delivery_logs" ("contact_id") where masked and status in ('queued', 'sending', 'deferred');`);
    for (const sql of networkPlacesUp) this.addSql(sql);
  }

  override down(): void {
    for (const sql of networkPlacesDown) this.addSql(sql);
    this.addSql(`drop index "email_delivery_logs_network_index";`);
    this.addSql(`drop table if exists "network_mails" cascade;`);
  }
}
