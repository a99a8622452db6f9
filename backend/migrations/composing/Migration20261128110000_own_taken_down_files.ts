import { Migration } from '@mikro-orm/migrations';

/**
 * Bytes of a file that was taken down are barred for its own account: others may have the same file for good reasons.
 * During a rolling restart, instances of the previous version bar the listed bytes for everybody, and a take-down by one
 * of them fails as a whole and can be repeated.
 */
export class Migration20261128110000_own_taken_down_files extends Migration {
  override name = 'Migration20261128110000_own_taken_down_files';

  override up(): void {
    this.addSql(`alter table "taken_down_files" add column "user_id" uuid null;`);
    this.addSql(`alter table "taken_down_files" drop constraint "taken_down_files_pkey";`);
    this.addSql(`delete from "taken_down_files";`);
    this.addSql(`insert into "taken_down_files" (user_id, sha256, taken_down_at) select user_id, sha256, min(taken_down_at) from files where taken_down_at is not null group by user_id, sha256;`);
    this.addSql(`/* safe: a row per file that was taken down */ alter table "taken_down_files" add primary key ("user_id", "sha256");`);
    this.addSql(`/* safe: a row per file that was taken down */ alter table "taken_down_files" add constraint "taken_down_files_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`alter table "taken_down_files" drop constraint "taken_down_files_user_id_foreign";`);
    this.addSql(`alter table "taken_down_files" drop constraint "taken_down_files_pkey";`);
    this.addSql(`delete from "taken_down_files" t using "taken_down_files" o where o.sha256 = t.sha256 and o.user_id < t.user_id;`);
    this.addSql(`alter table "taken_down_files" drop column "user_id";`);
    this.addSql(`alter table "taken_down_files" add primary key ("sha256");`);
  }
}
