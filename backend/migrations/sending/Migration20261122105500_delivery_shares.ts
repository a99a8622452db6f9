import { Migration } from '@mikro-orm/migrations';

/** The share of each account holder. Delivery and expansion use the shares to choose whom to serve next. */
export class Migration20261122105500_delivery_shares extends Migration {
  override name = 'Migration20261122105500_delivery_shares';

  override up(): void {
    this.addSql(`create table "delivery_shares" ("user_id" uuid not null, "virtual_time" double precision not null default 0, "turn_started" double precision not null default 0, "served_at" timestamptz not null default now(), "laid_out_at" timestamptz null, primary key ("user_id"));`);
    this.addSql(`create index "delivery_shares_started_index" on "delivery_shares" ("turn_started");`);
    this.addSql(`alter table "delivery_shares" add constraint "delivery_shares_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "delivery_shares" cascade;`);
  }
}
