import { Migration } from '@mikro-orm/migrations';

export class Migration20261121211831_send_retries extends Migration {

  override name = 'Migration20261121211831_send_retries';

  override up(): void | Promise<void> {
    this.addSql(`create table "send_retries" ("history_id" uuid not null, "last_position" int not null default 0, "created_at" timestamptz not null default now(), primary key ("history_id"));`);

    this.addSql(`alter table "send_retries" add constraint "send_retries_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on update cascade on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "send_retries" cascade;`);
  }

}
