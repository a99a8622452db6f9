import { Migration } from '@mikro-orm/migrations';
import { changedAddressDown, changedAddressUp } from '../sql/consent-changes-of-addresses.sql.js';

/** Delivery workers hear of the old address of a contact whose address changes; they heard of the new one only. */
export class Migration20261124180500_consent_changes_of_addresses extends Migration {

  override name = 'Migration20261124180500_consent_changes_of_addresses';

  override up(): void {
    this.addSql(changedAddressUp);
  }

  override down(): void {
    this.addSql(changedAddressDown);
  }

}
