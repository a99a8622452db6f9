import { Migration } from '@mikro-orm/migrations';
import { consentChangesDown, consentChangesUp } from '../sql/consent-changes.sql.js';

export class Migration20261122073500_consent_changes extends Migration {

  override name = 'Migration20261122073500_consent_changes';

  override up(): void {
    for (const statement of consentChangesUp) this.addSql(statement);
  }

  override down(): void {
    for (const statement of consentChangesDown) this.addSql(statement);
  }

}
