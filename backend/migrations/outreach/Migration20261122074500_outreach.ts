import { Migration } from '@mikro-orm/migrations';
import { SUPPRESSIONS_MAILBOX, SUPPRESSIONS_MAILBOX_TRIGGER } from '../sql/mailboxes.sql.js';

/**
 * Mail that is not part of a send: its budget, who was asked for a confirmation, what the mail said, and its priority
 * in the outbox.
 */
export class Migration20261122074500_outreach extends Migration {
  override name = 'Migration20261122074500_outreach';

  override up(): void {
    this.addSql(`create table "outreach_days" ("sender" bytea not null, "day" date not null, "own_sent" int not null default 0, "public_sent" int not null default 0, "invites_sent" int not null default 0, "own_confirmed" int not null default 0, "public_confirmed" int not null default 0, "own_bounced" int not null default 0, "public_bounced" int not null default 0, primary key ("sender", "day"));`);
    this.addSql(`alter table "outreach_days" add constraint "outreach_days_counts_check" check (own_sent >= 0 and public_sent >= 0 and invites_sent >= 0);`);
    this.addSql(`create table "outreach_asks" ("id" uuid not null, "sender" bytea null, "recipient" bytea not null, "email_list_id" uuid not null, "path" text not null, "after_leaving" boolean not null default false, "day" date not null, "asked_at" timestamptz not null default now(), "confirmed_at" timestamptz null, "bounced_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create index "outreach_asks_recipient_index" on "outreach_asks" ("recipient", "sender");`);
    this.addSql(`alter table "outreach_asks" add constraint "outreach_asks_path_check" check (path in ('own', 'public'));`);

    this.addSql(`alter table "subscriptions" add column "opt_in_source" text null, add column "opt_in_type" text null, add column "confirmation_source" text null, add column "confirmation_type" text null;`);
    this.addSql(`alter table "system_mails" add column "recipient_mailbox" bytea null, add column "priority" smallint not null default 0;`);
    this.addSql(`alter table "referral_opt_outs" add column "mailbox_hash" bytea null, add column "kind" text not null default 'invite';`);

    this.addSql(`alter table "suppressions" add column "mailbox_hash" bytea null;`);
    this.addSql(SUPPRESSIONS_MAILBOX);
    this.addSql(SUPPRESSIONS_MAILBOX_TRIGGER);
    this.addSql(`update "suppressions" set "mailbox_hash" = mailbox_hash("address_norm") where "address_norm" is not null;`);
  }

  override down(): void {
    this.addSql(`drop trigger if exists suppressions_mailbox_set on suppressions;`);
    this.addSql(`drop function if exists suppressions_mailbox();`);
    this.addSql(`alter table "suppressions" drop column "mailbox_hash";`);
    this.addSql(`alter table "referral_opt_outs" drop column "mailbox_hash", drop column "kind";`);
    this.addSql(`alter table "system_mails" drop column "recipient_mailbox", drop column "priority";`);
    this.addSql(`alter table "subscriptions" drop column "opt_in_source", drop column "opt_in_type", drop column "confirmation_source", drop column "confirmation_type";`);
    this.addSql(`drop table if exists "outreach_asks" cascade;`);
    this.addSql(`drop table if exists "outreach_days" cascade;`);
  }
}
