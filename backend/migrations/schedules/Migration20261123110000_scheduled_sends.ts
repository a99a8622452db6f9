import { Migration } from '@mikro-orm/migrations';

/** Sends that leave at a set time. */
export class Migration20261123110000_scheduled_sends extends Migration {
  override name = 'Migration20261123110000_scheduled_sends';

  override up(): void {
    this.addSql(`create table "scheduled_sends" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "send" jsonb not null, "content_hash" text not null,
      "local_at" timestamp(0) not null, "time_zone" text not null, "later" boolean not null default false, "due_at" timestamptz not null, "zone_data" text not null, "usage_date" date not null,
      "state" text not null default 'scheduled', "reason" text null, "reason_message" text null, "version" int not null default 1, "idempotency_key" text null, "draft_id" uuid null,
      "estimate" jsonb not null, "history_id" uuid null, "run_id" uuid null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "scheduled_sends" add constraint "scheduled_sends_state_check" check (state in ('scheduled', 'leaving', 'blocked', 'sent', 'cancelled'));`);
    this.addSql(`create index "scheduled_sends_due_index" on "scheduled_sends" ("due_at") where state = 'scheduled';`);
    this.addSql(`create index "scheduled_sends_user_index" on "scheduled_sends" ("user_id", "state", "due_at");`);
    this.addSql(`create index "scheduled_sends_ended_index" on "scheduled_sends" ("updated_at") where state in ('sent', 'cancelled');`);
    this.addSql(`create index "scheduled_sends_history_index" on "scheduled_sends" ("history_id");`);
    this.addSql(`create unique index "scheduled_sends_key_unique" on "scheduled_sends" ("user_id", "idempotency_key") where idempotency_key is not null;`);
    this.addSql(`create unique index "scheduled_sends_draft_unique" on "scheduled_sends" ("draft_id") where draft_id is not null;`);
    this.addSql(`alter table "scheduled_sends" add constraint "scheduled_sends_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "scheduled_sends" add constraint "scheduled_sends_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete set null;`);

    // A waiting email counts against the limit of its day. The entitlements include that count, so `usage` has changed
    // as well.
    this.addSql(`create function scheduled_sends_account_change() returns trigger language plpgsql as $body$
declare
  account uuid := coalesce(new.user_id, old.user_id);
begin
  perform pg_notify('account_changes', concat_ws(' ', account, 'schedule', coalesce(new.id, old.id)));
  perform pg_notify('account_changes', concat_ws(' ', account, 'usage', '-'));
  return null;
end
$body$`);
    this.addSql(`create trigger scheduled_sends_account_change_1 after insert or delete on scheduled_sends for each row execute function scheduled_sends_account_change()`);
    this.addSql(`create trigger scheduled_sends_account_change_2 after update on scheduled_sends for each row
      when ((old.version, old.state) is distinct from (new.version, new.state)) execute function scheduled_sends_account_change()`);

    // Blocks the scheduled emails of a suspended account, whoever suspends it: an admin, the command line, or the owner
    // by closing the account.
    this.addSql(`create function scheduled_sends_of_suspended() returns trigger language plpgsql as $body$
begin
  update scheduled_sends set state = 'blocked', reason = 'suspended', version = version + 1, updated_at = now()
  where user_id = new.id and state = 'scheduled';
  return null;
end
$body$`);
    this.addSql(`create trigger scheduled_sends_of_suspended after update of suspended_at on users for each row
      when (old.suspended_at is null and new.suspended_at is not null) execute function scheduled_sends_of_suspended()`);
  }

  override down(): void {
    this.addSql(`drop trigger if exists scheduled_sends_of_suspended on users;`);
    this.addSql(`drop function if exists scheduled_sends_of_suspended();`);
    this.addSql(`drop table if exists "scheduled_sends" cascade;`);
    this.addSql(`drop function if exists scheduled_sends_account_change();`);
  }
}
