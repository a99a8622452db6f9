import { Migration } from '@mikro-orm/migrations';

/**
 * Counts mails to strangers by the hour, so that a budget covers any 24 hours. Mails that were already sent today are
 * counted in the current hour.
 */
export class Migration20261122120000_outreach_hours extends Migration {

  override name = 'Migration20261122120000_outreach_hours';

  override up(): void {
    this.addSql(`create table "outreach_hours" ("sender" bytea not null, "hour" timestamptz not null, "own_sent" int not null default 0, "public_sent" int not null default 0, primary key ("sender", "hour"));`);
    this.addSql(`alter table "outreach_hours" add constraint "outreach_hours_counts_check" check (own_sent >= 0 and public_sent >= 0);`);
    this.addSql(`create index "outreach_hours_hour_index" on "outreach_hours" ("hour");`);
    this.addSql(`insert into "outreach_hours" ("sender", "hour", "own_sent", "public_sent")
      select sender, date_trunc('hour', now(), 'UTC'), own_sent + invites_sent, public_sent from "outreach_days" where day = (now() at time zone 'UTC')::date;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "outreach_hours" cascade;`);
  }

}
