import { Migration } from '@mikro-orm/migrations';

/** Files that are attached to the messages of a send. */
export class Migration20261127210000_attachments extends Migration {
  override name = 'Migration20261127210000_attachments';

  override up(): void {
    this.addSql(`alter table "email_history" add column "attached" boolean not null default false;`);
    this.addSql(`create table "send_attachments" ("history_id" uuid not null, "position" smallint not null, "file_id" uuid not null, "name" text not null, "media_type" text not null, "byte_size" int not null, "storage_key" text not null, primary key ("history_id", "position"));`);
    this.addSql(`create index "send_attachments_file_index" on "send_attachments" ("file_id");`);
    this.addSql(`create index "send_attachments_key_index" on "send_attachments" ("storage_key");`);
    this.addSql(`alter table "send_attachments" add constraint "send_attachments_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
    this.addSql(`alter table "send_attachments" add constraint "send_attachments_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete no action;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "send_attachments";`);
    this.addSql(`alter table "email_history" drop column "attached";`);
  }
}
