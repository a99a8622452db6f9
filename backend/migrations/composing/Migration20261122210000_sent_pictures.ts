import { Migration } from '@mikro-orm/migrations';

/** The pictures in the messages of each send, filled in for existing sends. */
export class Migration20261122210000_sent_pictures extends Migration {

  override name = 'Migration20261122210000_sent_pictures';

  override up(): void {
    this.addSql(`create table "sent_pictures" ("history_id" uuid not null, "file_id" uuid not null, primary key ("history_id", "file_id"));`);
    this.addSql(`create index "sent_pictures_file_index" on "sent_pictures" ("file_id");`);
    this.addSql(`alter table "sent_pictures" add constraint "sent_pictures_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "sent_pictures" add constraint "sent_pictures_file_id_foreign" foreign key ("file_id") references "files" ("id") on update cascade on delete no action;`);
    // Reads the ids in each document once. Joining the owner's pictures first would read the document once for each
    // picture.
    this.addSql(`insert into "sent_pictures" select distinct shown.history_id, f.id from (select m.history_id, h.user_id, jsonb_path_query(m.document, '$.**.fileId') #>> '{}' as file_id from "send_messages" m join "email_history" h on h.id = m.history_id) shown join "files" f on f.user_id = shown.user_id and f.id = case when shown.file_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then shown.file_id::uuid end;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "sent_pictures";`);
  }

}
