import { Migration } from '@mikro-orm/migrations';

/** Whether a person has hidden the checklist for new accounts. */
export class Migration20261122150000_onboarding extends Migration {

  override name = 'Migration20261122150000_onboarding';

  override up(): void {
    this.addSql(`alter table "users" add column "onboarding_dismissed_at" timestamptz null;`);
  }

  override down(): void {
    this.addSql(`alter table "users" drop column "onboarding_dismissed_at";`);
  }

}
