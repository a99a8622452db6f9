import { Migration } from '@mikro-orm/migrations';

/** Lets the check before a send tell whether a test was sent since the last change. */
export class Migration20261127100000_tested_compositions extends Migration {
  override name = 'Migration20261127100000_tested_compositions';

  override up(): void {
    this.addSql(`alter table "test_mails" add column "content_hash" bytea null;`);
  }

  override down(): void {
    this.addSql(`alter table "test_mails" drop column "content_hash";`);
  }
}
