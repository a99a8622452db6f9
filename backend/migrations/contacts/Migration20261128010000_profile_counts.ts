import { Migration } from '@mikro-orm/migrations';
import { profileCountsDown, profileCountsFill, profileCountsUp } from '../sql/profile-counts.sql.js';

/** Counters for the number of an account's contacts. Each page of contacts shows this number without counting them. */
export class Migration20261128010000_profile_counts extends Migration {
  override name = 'Migration20261128010000_profile_counts';

  override up(): void {
    this.addSql(
      `create table "profile_counts" ("owner_id" uuid not null, "backend" int not null, "profiles" int not null default 0, primary key ("owner_id", "backend"));`,
    );
    this.addSql(`create index "profile_counts_apart_index" on "profile_counts" ("owner_id") where backend <> 0;`);
    // The triggers lock contact_profiles, so no row can change between their creation and the fill.
    for (const sql of profileCountsUp) this.addSql(sql);
    this.addSql(profileCountsFill);
  }

  override down(): void {
    for (const sql of profileCountsDown) this.addSql(sql);
    this.addSql(`drop table "profile_counts";`);
  }
}
