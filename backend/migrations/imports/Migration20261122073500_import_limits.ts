import { Migration } from '@mikro-orm/migrations';

/**
 * The position in the file at which an import continues reading, the number of rejected lines that it does not list,
 * why it failed, and how much of its import limits each account has used.
 */
export class Migration20261122073500_import_limits extends Migration {
  override name = 'Migration20261122073500_import_limits';

  override up(): void {
    this.addSql(`alter table "contact_imports" add column "checkpoint" jsonb null, add column "rejects_unlisted" int not null default 0, add column "failure" text null;`);
    this.addSql(`create table "import_usage" ("user_id" uuid not null, "day" date not null, "bytes" bigint not null default 0, "rejects" int not null default 0, "served_at" timestamptz null, primary key ("user_id"));`);
    this.addSql(`alter table "import_usage" add constraint "import_usage_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "import_usage" cascade;`);
    this.addSql(`alter table "contact_imports" drop column "checkpoint", drop column "rejects_unlisted", drop column "failure";`);
  }
}
