import { Migration } from '@mikro-orm/migrations';
import { MAILBOX_HASH, USERS_MAILBOX, USERS_MAILBOX_TRIGGER } from '../sql/mailboxes.sql.js';

/**
 * A hash of the mailbox that each account's address belongs to, and the number of emails that each mailbox sent per
 * day.
 */
export class Migration20261122072500_mailboxes extends Migration {
  override name = 'Migration20261122072500_mailboxes';

  override up(): void {
    this.addSql(`alter table "users" add column "mailbox_hash" bytea null;`);
    this.addSql(MAILBOX_HASH);
    this.addSql(USERS_MAILBOX);
    this.addSql(USERS_MAILBOX_TRIGGER);
    this.addSql(`update "users" set "mailbox_hash" = mailbox_hash("email_norm");`);
    this.addSql(`create table "mailbox_usage" ("mailbox_hash" bytea not null, "date" date not null, "time_zone" text not null default 'UTC', "emails_sent" int not null default 0, primary key ("mailbox_hash", "date"));`);
    this.addSql(`alter table "mailbox_usage" add constraint "mailbox_usage_count_check" check (emails_sent >= 0);`);
    this.addSql(`insert into "mailbox_usage" ("mailbox_hash", "date", "time_zone", "emails_sent")
      select u.mailbox_hash, t.date, min(t.time_zone), sum(t.emails_sent)::int from usage_tracking t join users u on u.id = t.user_id
      where t.date >= current_date - 2 and u.mailbox_hash is not null group by u.mailbox_hash, t.date;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "mailbox_usage" cascade;`);
    this.addSql(`drop trigger if exists users_mailbox_set on users;`);
    this.addSql(`drop function if exists users_mailbox();`);
    this.addSql(`alter table "users" drop column "mailbox_hash";`);
    this.addSql(`drop function if exists mailbox_hash(text);`);
  }
}
