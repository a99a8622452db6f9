import { Migration } from '@mikro-orm/migrations';

/**
 * Finds earlier lines of an import with the same address by the import as text, as the check compares it; without it,
 * the lines of all other imports with that address are read. It takes the place of the index by hash and id. Built
 * without locking writes.
 */
export class Migration20261123070000_repeated_lines_index extends Migration {
  override name = 'Migration20261123070000_repeated_lines_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "contact_import_rows_repeat_index";`);
    this.addSql(
      `create index concurrently "contact_import_rows_repeat_index" on "contact_import_rows" ("email_hash", ("import_id"::text), "line");`,
    );
    this.addSql(`drop index concurrently if exists "contact_import_rows_hash_index";`);
  }

  override down(): void {
    this.addSql(
      `create index if not exists "contact_import_rows_hash_index" on "contact_import_rows" ("email_hash", "import_id");`,
    );
    this.addSql(`drop index if exists "contact_import_rows_repeat_index";`);
  }
}
