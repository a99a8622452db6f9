import { Migration } from '@mikro-orm/migrations';

/**
 * Finds earlier lines of an import with the same address. The index holds the import's id as text, because the check
 * compares the id as text; otherwise the check would read the lines of all other imports with that address. Replaces
 * the index by hash and id. Built without locking writes.
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
