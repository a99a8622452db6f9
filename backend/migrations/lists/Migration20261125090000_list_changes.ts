import { Migration } from '@mikro-orm/migrations';
import { listChangesDown, listChangesUp } from '../sql/list-changes.sql.js';

/** Notifies screens of changed counts separately from lists that are created, deleted or renamed. */
export class Migration20261125090000_list_changes extends Migration {
  override name = 'Migration20261125090000_list_changes';

  override up(): void {
    this.addSql(listChangesUp);
  }

  override down(): void {
    this.addSql(listChangesDown);
  }
}
