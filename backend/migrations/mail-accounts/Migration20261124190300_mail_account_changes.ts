import { Migration } from '@mikro-orm/migrations';
import { mailAccountChangesDown, mailAccountChangesUp } from '../sql/mail-account-changes.sql.js';

/** Notifies admins of changes to a mail account's settings and health. */
export class Migration20261124190300_mail_account_changes extends Migration {
  override name = 'Migration20261124190300_mail_account_changes';

  override up(): void {
    for (const statement of mailAccountChangesUp) this.addSql(statement);
  }

  override down(): void {
    for (const statement of mailAccountChangesDown) this.addSql(statement);
  }
}
