import { Migration } from '@mikro-orm/migrations';

const INDEXES: readonly [name: string, definition: string][] = [
  ['files_library_index', `index concurrently "files_library_index" on "files" ("user_id", "kind", "created_at", "id") where deleted_at is null`],
  ['files_scan_index', `index concurrently "files_scan_index" on "files" ("scanned_at") where kind = 'document' and deleted_at is null`],
  ['files_unused_index', `index concurrently "files_unused_index" on "files" ("used_at") where kind = 'document'`],
  ['files_deleted_index', `index concurrently "files_deleted_index" on "files" ("deleted_at") where deleted_at is not null`],
  ['files_reported_index', `index concurrently "files_reported_index" on "files" ("reported_at", "id") where reported_at is not null`],
  ['files_present_unique', `unique index concurrently "files_present_unique" on "files" ("user_id", "sha256") where deleted_at is null`],
];

/**
 * Finds uploaded files for the Library, scans, purges and reports. After a deletion, the same bytes can be uploaded
 * again as a new file. Built without locking writes.
 */
export class Migration20261127110100_file_indexes extends Migration {
  override name = 'Migration20261127110100_file_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, definition] of INDEXES) {
      this.addSql(`drop index concurrently if exists "${name}";`);
      this.addSql(`create ${definition};`);
    }
    this.addSql(`alter table "files" drop constraint if exists "files_content_unique";`);
  }

  override down(): void {
    this.addSql(`alter table "files" add constraint "files_content_unique" unique ("user_id", "sha256");`);
    for (const [name] of INDEXES) this.addSql(`drop index if exists "${name}";`);
  }
}
