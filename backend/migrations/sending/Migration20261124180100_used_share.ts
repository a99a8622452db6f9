import { Migration } from '@mikro-orm/migrations';

/** The used share of a learned rate. A rate is raised only while most of it is used. */
export class Migration20261124180100_used_share extends Migration {
  override name = 'Migration20261124180100_used_share';

  override up(): void {
    this.addSql(`alter table "provider_rates" add column "used_share" double precision not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "provider_rates" drop column "used_share";`);
  }
}
