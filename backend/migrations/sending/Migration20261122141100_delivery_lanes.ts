import { Migration } from '@mikro-orm/migrations';

/** Drops delivery_lanes, which nothing reads any more: domains that ask for less mail are in provider_rates. */
export class Migration20261122141100_delivery_lanes extends Migration {

  override name = 'Migration20261122141100_delivery_lanes';

  override up(): void {
    this.addSql(`/* safe: nothing has read or written it since provider_rates took its place */ drop table "delivery_lanes"`);
  }

  override down(): void {
    this.addSql(`create table "delivery_lanes" ("domain" text not null, "slow_until" timestamptz not null, "next_at" timestamptz not null, "reason" text not null, primary key ("domain"));`);
  }

}
