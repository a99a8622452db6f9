import { Migration } from '@mikro-orm/migrations';
import { contactChangesDown, contactChangesUp } from '../sql/contact-changes.sql.js';

export class Migration20261122141000_contact_changes extends Migration {

  override name = 'Migration20261122141000_contact_changes';

  override up(): void {
    for (const statement of contactChangesUp) this.addSql(statement);
  }

  override down(): void {
    for (const statement of contactChangesDown) this.addSql(statement);
  }

}
