import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a start log match only the rows that its own batch marked. During a rolling restart, workers of the previous
 * version and of this one cannot read each other's start logs; after a crash they count all messages of such a batch as
 * possibly sent.
 */
export class Migration20261128210000_claim_token extends Migration {
  override name = 'Migration20261128210000_claim_token';

  override up(): void {
    this.addSql(`alter table "email_delivery_logs" add column "claim_token" int null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_delivery_logs" drop column "claim_token";`);
  }
}
