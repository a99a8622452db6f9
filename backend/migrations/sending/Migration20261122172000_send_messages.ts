import { Migration } from '@mikro-orm/migrations';

/** Texts of composed sends, split at their merge tags, and a mark on the sends that have them. */
export class Migration20261122172000_send_messages extends Migration {

  override name = 'Migration20261122172000_send_messages';

  override up(): void {
    this.addSql(`create table "send_messages" ("history_id" uuid not null, "version" smallint not null, "subject" jsonb not null, "text" jsonb not null, "html" jsonb null, "tags" jsonb not null, "preheader" text null, "preheader_pieces" jsonb null, "document" jsonb null, "job" jsonb null, "html_bytes" int null, primary key ("history_id"));`);
    this.addSql(`alter table "send_messages" add constraint "send_messages_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "email_history" add column "composed" boolean not null default false;`);
  }

  override down(): void {
    this.addSql(`alter table "email_history" drop column "composed";`);
    this.addSql(`drop table if exists "send_messages";`);
  }

}
