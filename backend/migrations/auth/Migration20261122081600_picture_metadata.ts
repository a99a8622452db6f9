import { Migration } from '@mikro-orm/migrations';

/** Marks pictures that are stored without metadata. Workers remove the metadata of the others. */
export class Migration20261122081600_picture_metadata extends Migration {
  override name = 'Migration20261122081600_picture_metadata';

  override up(): void {
    this.addSql(`alter table "user_avatars" add column "stripped_id" uuid null;`);
  }

  override down(): void {
    this.addSql(`alter table "user_avatars" drop column "stripped_id";`);
  }
}
