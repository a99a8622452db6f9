import { Migration } from '@mikro-orm/migrations';

/**
 * Audiences of sends with segments, exclusions, rules or caps: the choice, the people who are mailed, and the people
 * who are left out with the reason.
 */
export class Migration20261123060100_send_audiences extends Migration {
  override name = 'Migration20261123060100_send_audiences';

  override up(): void {
    this.addSql(`create table "send_audiences" ("history_id" uuid not null, "choices" jsonb not null, "frozen_at" timestamptz null, "left_out" int not null default 0, "failure" text null, "created_at" timestamptz not null default now(), primary key ("history_id"));`);
    this.addSql(`alter table "send_audiences" add constraint "send_audiences_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on update cascade on delete cascade;`);

    this.addSql(`create table "send_members" ("history_id" uuid not null, "email_norm" text not null, "email_hash" bytea not null, "contact_id" uuid not null, "email_list_id" uuid not null, "profile_id" uuid null, "masked" boolean not null, "email" text not null, "name" text null, primary key ("history_id", "email_norm"));`);
    this.addSql(`alter table "send_members" add constraint "send_members_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);

    this.addSql(`create table "send_left_out" ("history_id" uuid not null, "position" int not null, "contact_id" uuid not null, "email_list_id" uuid not null, "masked" boolean not null, "email" text not null, "reason" text not null, "detail" text not null, primary key ("history_id", "position"));`);
    this.addSql(`create index "send_left_out_contact_index" on "send_left_out" ("contact_id");`);
    this.addSql(`alter table "send_left_out" add constraint "send_left_out_reason_check" check (reason in ('doNotSend', 'excludedList', 'excludedSegment', 'excludedHere', 'companyCap'));`);
    this.addSql(`alter table "send_left_out" add constraint "send_left_out_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
  }

  override down(): void {
    for (const table of ['send_left_out', 'send_members', 'send_audiences'])
      this.addSql(`drop table if exists "${table}";`);
  }
}
