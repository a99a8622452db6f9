import { Migration } from '@mikro-orm/migrations';

/** Notifies the user's open screens. PostgreSQL drops repeated payloads of one transaction. */
const TELL = `
create function notifications_account_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('account_changes', concat_ws(' ', new.user_id, 'notification', '-'));
  return null;
end
$body$`;

const tellOn = (table: string, n: number, event: string, condition = ''): string =>
  `create trigger ${table}_account_change_${n} after ${event} on ${table} for each row ${condition && `when (${condition}) `}execute function notifications_account_change()`;

/** Notifications, the users' settings for each kind, and the state of each user's notification mails. */
export class Migration20261123104500_notifications extends Migration {
  override name = 'Migration20261123104500_notifications';

  override up(): void {
    this.addSql(`create table "notifications" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "kind" text not null, "group_key" text not null, "params" jsonb not null, "count" int not null default 1,
      "shown" boolean not null default true, "mail_as" text null, "mail_since" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "read_at" timestamptz null, "mailed_at" timestamptz null,
      primary key ("id"), constraint "notifications_mail_check" check (mail_as in ('now', 'summary')));`);
    this.addSql(`create index "notifications_user_index" on "notifications" ("user_id", "updated_at" desc, "id" desc);`);
    this.addSql(`create index "notifications_updated_index" on "notifications" ("updated_at");`);
    this.addSql(`create index "notifications_mail_index" on "notifications" ("mail_as", "user_id") where mail_as is not null and read_at is null;`);
    this.addSql(`create unique index "notifications_unread_unique" on "notifications" ("user_id", "group_key") where read_at is null;`);
    this.addSql(`alter table "notifications" add constraint "notifications_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "notification_settings" ("user_id" uuid not null, "kind" text not null, "in_app" boolean not null default true, "mail" text not null, primary key ("user_id", "kind"),
      constraint "notification_settings_mail_check" check (mail in ('now', 'summary', 'never')));`);
    this.addSql(`alter table "notification_settings" add constraint "notification_settings_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "notification_mailing" ("user_id" uuid not null, "summary_hour" smallint not null default 8, "summarised_on" date null, "bounces" int not null default 0, "off_at" timestamptz null,
      primary key ("user_id"), constraint "notification_mailing_hour_check" check (summary_hour >= 0 and summary_hour <= 23));`);
    this.addSql(`alter table "notification_mailing" add constraint "notification_mailing_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;`);

    this.addSql(TELL);
    this.addSql(tellOn('notifications', 1, 'insert', 'new.shown'));
    this.addSql(tellOn('notifications', 2, 'update', 'new.shown and (old.read_at, old.count) is distinct from (new.read_at, new.count)'));
    this.addSql(tellOn('notification_settings', 1, 'insert or update'));
    this.addSql(tellOn('notification_mailing', 1, 'insert', 'new.summary_hour <> 8 or new.off_at is not null'));
    this.addSql(tellOn('notification_mailing', 2, 'update', '(old.summary_hour, old.off_at) is distinct from (new.summary_hour, new.off_at)'));
  }

  override down(): void {
    for (const table of ['notification_mailing', 'notification_settings', 'notifications'])
      this.addSql(`drop table if exists "${table}" cascade;`);
    this.addSql(`drop function if exists notifications_account_change();`);
  }
}
