import { Migration } from '@mikro-orm/migrations';
import { changedAddressDown, changedAddressUp } from '../sql/consent-changes-of-addresses.sql.js';

/**
 * When the address of a contact changes, delivery workers are notified of the old address, too, not only of the new
 * one.
 */
export class Migration20261124180500_consent_changes_of_addresses extends Migration {

  override name = 'Migration20261124180500_consent_changes_of_addresses';

  override up(): void {
    this.addSql(changedAddressUp);
  }

  override down(): void {
    this.addSql(changedAddressDown);
  }

}
