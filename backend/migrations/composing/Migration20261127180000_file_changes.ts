import { Migration } from '@mikro-orm/migrations';
import { fileChangesDown, fileChangesUp } from '../sql/file-changes.sql.js';

/** Notifies screens when a file was scanned, replaced or deleted elsewhere. */
export class Migration20261127180000_file_changes extends Migration {
  override name = 'Migration20261127180000_file_changes';

  override up(): void {
    for (const statement of fileChangesUp) this.addSql(statement);
  }

  override down(): void {
    for (const statement of fileChangesDown) this.addSql(statement);
  }
}
