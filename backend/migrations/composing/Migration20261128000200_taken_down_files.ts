import { Migration } from '@mikro-orm/migrations';

/** Hashes of files that an admin took down; an upload of the same bytes is refused. */
export class Migration20261128000200_taken_down_files extends Migration {
  override name = 'Migration20261128000200_taken_down_files';

  override up(): void {
    this.addSql(`create table "taken_down_files" ("sha256" bytea not null, "taken_down_at" timestamptz not null default now(), primary key ("sha256"));`);
    this.addSql(`insert into taken_down_files (sha256, taken_down_at) select sha256, min(taken_down_at) from files where taken_down_at is not null group by sha256;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "taken_down_files";`);
  }
}
