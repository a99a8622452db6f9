import { Migration } from '@mikro-orm/migrations';

/**
 * The profile and the company domain of each contact on an owned list. Both are null until the backfill reaches the
 * contact.
 */
export class Migration20261123010100_membership_profiles extends Migration {
  override name = 'Migration20261123010100_membership_profiles';

  override up(): void {
    this.addSql(`alter table "subscriptions" add column "profile_id" uuid null, add column "company_domain" text null;`);
  }

  override down(): void {
    this.addSql(`alter table "subscriptions" drop column "profile_id", drop column "company_domain";`);
  }
}
