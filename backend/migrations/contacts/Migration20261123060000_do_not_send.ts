import { Migration } from '@mikro-orm/migrations';

const TABLES = ['do_not_send_rules', 'companies'];
const EVENTS = ['insert', 'update', 'delete'];

/** Sends one notification per account and statement. */
const notifyOwners = (table: string, event: string): string[] => {
  const name = `${table}_account_change_${event}`;
  return [
    `create function ${name}() returns trigger language plpgsql as $body$
begin
  perform pg_notify('account_changes', concat_ws(' ', owner_id, 'rules', '-')) from changed_rows group by owner_id;
  return null;
end
$body$`,
    `create trigger ${name} after ${event} on ${table} referencing ${event === 'delete' ? 'old' : 'new'} table as changed_rows for each statement execute function ${name}()`,
  ];
};

/** Do-not-send rules, and what an account wrote about companies. */
export class Migration20261123060000_do_not_send extends Migration {
  override name = 'Migration20261123060000_do_not_send';

  override up(): void {
    this.addSql(`create table "do_not_send_rules" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "kind" text not null, "value" text not null, "company_domain" text null, "address_hash" bytea null,
      "reason" text not null, "note" text null, "expires_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "do_not_send_rules" add constraint "do_not_send_rules_value_unique" unique ("owner_id", "value");`);
    this.addSql(`create index "do_not_send_rules_created_index" on "do_not_send_rules" ("owner_id", "created_at", "id");`);
    this.addSql(`create index "do_not_send_rules_address_index" on "do_not_send_rules" ("address_hash") where address_hash is not null;`);
    this.addSql(`create index "do_not_send_rules_expiry_index" on "do_not_send_rules" ("expires_at") where expires_at is not null;`);
    this.addSql(`alter table "do_not_send_rules" add constraint "do_not_send_rules_kind_check" check (kind in ('address', 'domain'));`);
    this.addSql(`alter table "do_not_send_rules" add constraint "do_not_send_rules_reason_check" check (reason in ('own_agency', 'end_client', 'competitor', 'present_employer', 'other'));`);
    this.addSql(`alter table "do_not_send_rules" add constraint "do_not_send_rules_address_check" check ((kind = 'address') = (address_hash is not null));`);
    this.addSql(`alter table "do_not_send_rules" add constraint "do_not_send_rules_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "companies" ("owner_id" uuid not null, "domain" text not null, "name" text null, "kind" text null, "max_per_send" int null, "note" text null, primary key ("owner_id", "domain"));`);
    this.addSql(`alter table "companies" add constraint "companies_kind_check" check (kind in ('vendor', 'end_client', 'own_agency', 'competitor', 'other'));`);
    this.addSql(`alter table "companies" add constraint "companies_cap_check" check (max_per_send >= 1 and max_per_send <= 50);`);
    this.addSql(`alter table "companies" add constraint "companies_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    for (const table of TABLES)
      for (const event of EVENTS) for (const statement of notifyOwners(table, event)) this.addSql(statement);
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop table if exists "${table}" cascade;`);
    for (const table of TABLES)
      for (const event of EVENTS) this.addSql(`drop function if exists ${table}_account_change_${event}();`);
  }
}
