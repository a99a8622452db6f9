import { Migration } from '@mikro-orm/migrations';

export class Migration20261121092326_send_controls extends Migration {

  override name = 'Migration20261121092326_send_controls';

  override up(): void | Promise<void> {
    this.addSql(`alter table "email_providers" add "state" text not null default 'unknown', add "last_ok_at" timestamptz null, add "last_error_at" timestamptz null, add "last_error" text null, add "failures" int not null default 0, add "held_until" timestamptz null;`);
    this.addSql(`alter table "email_providers" add constraint "email_providers_state_check" check (state in ('unknown', 'ok', 'failing'));`);

    this.addSql(`alter table "email_history" add "paused_at" timestamptz null, add "cancelled_at" timestamptz null, add "usage_returned" boolean not null default false;`);

    this.addSql(`create index "email_delivery_logs_left_index" on "email_delivery_logs" ("history_id", "position") where unsubscribed_at is not null;`);
    this.addSql(`create index "email_delivery_logs_unlucky_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('unconfirmed', 'failed', 'skipped', 'bounced', 'complained');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "email_delivery_logs_left_index";`);
    this.addSql(`drop index "email_delivery_logs_unlucky_index";`);

    this.addSql(`alter table "email_history" drop column "paused_at", drop column "cancelled_at", drop column "usage_returned";`);

    this.addSql(`alter table "email_providers" drop constraint "email_providers_state_check";`);
    this.addSql(`alter table "email_providers" drop column "state", drop column "last_ok_at", drop column "last_error_at", drop column "last_error", drop column "failures", drop column "held_until";`);
  }

}
