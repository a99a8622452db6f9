import { Migration } from '@mikro-orm/migrations';
import { accountChangesDown, accountChangesUp } from '../sql/account-changes.sql.js';

export class Migration20261122110000_account_changes extends Migration {

  override name = 'Migration20261122110000_account_changes';

  override up(): void {
    for (const statement of accountChangesUp) this.addSql(statement);
  }

  override down(): void {
    for (const statement of accountChangesDown) this.addSql(statement);
  }

}
