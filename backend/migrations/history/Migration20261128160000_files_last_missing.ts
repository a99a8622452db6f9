import { Migration } from '@mikro-orm/migrations';

/**
 * When the attached files of a send were last found missing. Instances of the previous version do not write it, so that
 * a send that waits during the rolling restart begins its time of waiting once more.
 */
export class Migration20261128160000_files_last_missing extends Migration {
  override name = 'Migration20261128160000_files_last_missing';

  override up(): void {
    this.addSql(`alter table "email_history" add column "files_last_missing_at" timestamptz null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_history" drop column "files_last_missing_at";`);
  }
}
