import { Migration } from '@mikro-orm/migrations';
import { listChangesDown, listChangesUp } from '../sql/list-changes.sql.js';

/** Screens hear of counts that move apart from lists that come, go or are renamed. */
export class Migration20261125090000_list_changes extends Migration {
  override name = 'Migration20261125090000_list_changes';

  override up(): void {
    this.addSql(listChangesUp);
  }

  override down(): void {
    this.addSql(listChangesDown);
  }
}
