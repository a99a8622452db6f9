import { Migration } from '@mikro-orm/migrations';
import { deliveryTalliesUp } from './sql/delivery-tallies.sql.js';
import { talliesOfLeaversUp } from './sql/delivery-tallies-of-leavers.sql.js';

/** Counts that outlive the delivery rows, and the end of an account without a look at every delivery of all others. */
export class Migration20261121093000_deliveries extends Migration {
  override name = 'Migration20261121093000_deliveries';

  override up(): void {
    // First: it locks the table, so nothing happens between the fill and the trigger.
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_user_id_foreign"`);
    for (const sql of talliesOfLeaversUp) this.addSql(sql);
  }

  override down(): void {
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade not valid`);
    for (const sql of deliveryTalliesUp.filter((text) => text.includes('function email_delivery_logs_tallied_update() returns'))) this.addSql(sql);
    this.addSql(`alter table "delivery_tallies" drop column "unsubscribed"`);
  }
}
