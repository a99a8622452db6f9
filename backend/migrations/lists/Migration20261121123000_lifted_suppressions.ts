import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps lifted suppressions. A send applies the suppressions that held when it was accepted, even if one is lifted
 * before all of its recipients are expanded.
 */
export class Migration20261121123000_lifted_suppressions extends Migration {
  override name = 'Migration20261121123000_lifted_suppressions';

  override up(): void {
    this.addSql(`create table "lifted_suppressions" ("id" uuid not null, "scope" text not null, "owner_id" uuid null, "address_hash" bytea not null, "created_at" timestamptz not null, "expires_at" timestamptz null, "lifted_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "lifted_suppressions_address_index" on "lifted_suppressions" ("address_hash");`);
    this.addSql(`
create function suppressions_keep_lifted() returns trigger language plpgsql as $body$
begin
  insert into lifted_suppressions (id, scope, owner_id, address_hash, created_at, expires_at)
  values (old.id, old.scope, old.owner_id, old.address_hash, old.created_at, old.expires_at) on conflict (id) do nothing;
  return null;
end
$body$`);
    this.addSql(`create trigger suppressions_keep_lifted after delete on suppressions for each row execute function suppressions_keep_lifted()`);
  }

  override down(): void {
    this.addSql(`drop trigger suppressions_keep_lifted on suppressions`);
    this.addSql(`drop function suppressions_keep_lifted()`);
    this.addSql(`drop table "lifted_suppressions"`);
  }
}
