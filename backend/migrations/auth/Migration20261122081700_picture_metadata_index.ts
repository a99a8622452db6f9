import { Migration } from '@mikro-orm/migrations';

/** Finds pictures whose metadata is still to be removed. After some time there are none. */
export class Migration20261122081700_picture_metadata_index extends Migration {
  override name = 'Migration20261122081700_picture_metadata_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "user_avatars_unstripped_index";`);
    this.addSql(`create index concurrently "user_avatars_unstripped_index" on "user_avatars" ("id") where stripped_id is distinct from id;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "user_avatars_unstripped_index";`);
  }
}
