import { Migration } from '@mikro-orm/migrations';

/** Finds the memberships of a profile, and contacts without a profile. Built without locking writes. */
export class Migration20261123010200_membership_profile_indexes extends Migration {
  override name = 'Migration20261123010200_membership_profile_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "subscriptions_profile_index";`);
    this.addSql(`create index concurrently "subscriptions_profile_index" on "subscriptions" ("profile_id") where profile_id is not null;`);
    this.addSql(`drop index concurrently if exists "subscriptions_unprofiled_index";`);
    this.addSql(`create index concurrently "subscriptions_unprofiled_index" on "subscriptions" ("email_list_id", "id") where profile_id is null;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "subscriptions_profile_index";`);
    this.addSql(`drop index if exists "subscriptions_unprofiled_index";`);
  }
}
