import { Migration } from '@mikro-orm/migrations';
import { contactTrendsDown, contactTrendsFill, contactTrendsUp } from '../sql/contact-trends.sql.js';
import { deliveryTalliesDown, deliveryTalliesFill, deliveryTalliesUp } from '../sql/delivery-tallies.sql.js';

/** Counters that the dashboard reads instead of counting contacts and deliveries. */
export class Migration20261121080319_dashboard extends Migration {

  override name = 'Migration20261121080319_dashboard';

  override up(): void | Promise<void> {
    this.addSql(`create table "delivery_tallies" ("history_id" uuid not null, "backend" int not null, "sent" int not null default 0, "unconfirmed" int not null default 0, "failed" int not null default 0, "skipped" int not null default 0, "bounced" int not null default 0, "complained" int not null default 0, primary key ("history_id", "backend"));`);

    this.addSql(`create table "contact_trends" ("owner_id" uuid not null, "quarter" timestamptz not null, "backend" int not null, "added" int not null default 0, "unsubscribed" int not null default 0, primary key ("owner_id", "quarter", "backend"));`);

    this.addSql(`create index "subscriptions_unsubscribed_at_index" on "subscriptions" ("email_list_id", "unsubscribed_at") where unsubscribed_at is not null;`);
    this.addSql(`create index "subscriptions_confirmed_at_index" on "subscriptions" ("email_list_id", "confirmed_at") where confirmed_at is not null and (consent ->> 'how') is distinct from 'attestation';`);
    this.addSql(`create index "subscriptions_single_index" on "subscriptions" ("email_list_id", "created_at") where import_id is null;`);

    // The triggers come first, because they lock the tables: no row can change before the fill.
    for (const sql of [...contactTrendsUp, ...deliveryTalliesUp, contactTrendsFill, deliveryTalliesFill]) this.addSql(sql);
  }

  override down(): void | Promise<void> {
    for (const sql of [...contactTrendsDown, ...deliveryTalliesDown]) this.addSql(sql);
    this.addSql(`drop table if exists "delivery_tallies" cascade;`);
    this.addSql(`drop table if exists "contact_trends" cascade;`);

    this.addSql(`drop index "subscriptions_unsubscribed_at_index";`);
    this.addSql(`drop index "subscriptions_confirmed_at_index";`);
    this.addSql(`drop index "subscriptions_single_index";`);
  }

}
