import { Migration } from '@mikro-orm/migrations';
import { deliveryTalliesUp } from '../sql/delivery-tallies.sql.js';
import { talliesOfLeaversUp } from '../sql/delivery-tallies-of-leavers.sql.js';

/** Indexes for foreign keys that are checked when a list or an account is deleted. */
const INDEXES = [
  ['email_history_list_index', '"email_history" ("email_list_id")'],
  ['email_history_lists_list_index', '"email_history_lists" ("email_list_id")'],
  ['contact_imports_user_index', '"contact_imports" ("user_id")'],
] as const;

/**
 * Counts recipients who left, so that these counts outlive the delivery rows. Drops the foreign key from deliveries to
 * users, so that deleting an account does not read the deliveries of all other accounts.
 */
export class Migration20261121093000_deliveries extends Migration {
  override name = 'Migration20261121093000_deliveries';

  override up(): void {
    // Dropping the constraint comes first, because it locks the table: no row can change between the fill and the
    // trigger.
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_user_id_foreign"`);
    for (const sql of talliesOfLeaversUp) this.addSql(sql);
    for (const [name, on] of INDEXES) this.addSql(`create index "${name}" on ${on}`);
  }

  override down(): void {
    for (const [name] of INDEXES) this.addSql(`drop index "${name}"`);
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade not valid`);
    for (const sql of deliveryTalliesUp.filter((text) => text.includes('function email_delivery_logs_tallied_update() returns'))) this.addSql(sql);
    this.addSql(`alter table "delivery_tallies" drop column "unsubscribed"`);
  }
}
