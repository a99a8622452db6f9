import { Migration } from '@mikro-orm/migrations';

/** Which pictures are stored without metadata; workers clean the others. */
export class Migration20261122081600_picture_metadata extends Migration {
  override name = 'Migration20261122081600_picture_metadata';

  override up(): void {
    this.addSql(`alter table "user_avatars" add column "stripped_id" uuid null;`);
  }

  override down(): void {
    this.addSql(`alter table "user_avatars" drop column "stripped_id";`);
  }
}
