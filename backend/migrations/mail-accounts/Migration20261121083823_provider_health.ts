import { Migration } from '@mikro-orm/migrations';

/** The health of each mail account. */
export class Migration20261121083823_provider_health extends Migration {
  override name = 'Migration20261121083823_provider_health';

  override up(): void {
    this.addSql(`alter table "email_providers" add "state" text not null default 'unknown', add "last_ok_at" timestamptz null, add "last_error_at" timestamptz null, add "last_error" text null, add "failures" int not null default 0, add "held_until" timestamptz null;`);
    this.addSql(`alter table "email_providers" add constraint "email_providers_state_check" check (state in ('unknown', 'ok', 'failing'));`);
  }

  override down(): void {
    this.addSql(`alter table "email_providers" drop constraint "email_providers_state_check";`);
    this.addSql(`alter table "email_providers" drop column "state", drop column "last_ok_at", drop column "last_error_at", drop column "last_error", drop column "failures", drop column "held_until";`);
  }
}
