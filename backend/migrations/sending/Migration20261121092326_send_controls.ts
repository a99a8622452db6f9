import { Migration } from '@mikro-orm/migrations';

export class Migration20261121092326_send_controls extends Migration {

  override name = 'Migration20261121092326_send_controls';

  override up(): void | Promise<void> {
    this.addSql(`alter table "email_history" add "paused_at" timestamptz null, add "cancelled_at" timestamptz null, add "usage_returned" boolean not null default false;`);
    // A failed send without bounces no longer counts against the day's limit; a send whose mails bounced later still
    // counts.
    this.addSql(`update email_history h set usage_returned = true where status = 'failed' and not exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status = 'bounced');`);

    this.addSql(`create index "email_delivery_logs_left_index" on "email_delivery_logs" ("history_id", "position") where unsubscribed_at is not null;`);
    this.addSql(`create index "email_delivery_logs_unlucky_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('unconfirmed', 'failed', 'skipped', 'bounced', 'complained');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "email_delivery_logs_left_index";`);
    this.addSql(`drop index "email_delivery_logs_unlucky_index";`);

    this.addSql(`alter table "email_history" drop column "paused_at", drop column "cancelled_at", drop column "usage_returned";`);
  }

}
