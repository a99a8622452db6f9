import { Migration } from '@mikro-orm/migrations';

/** Finds the lists whose deletion is due. Built without locking writes. */
export class Migration20261122140100_deleted_lists_index extends Migration {

  override name = 'Migration20261122140100_deleted_lists_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "email_lists_deleted_index";`);
    this.addSql(`create index concurrently "email_lists_deleted_index" on "email_lists" ("deleted_at") where deleted_at is not null;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "email_lists_deleted_index";`);
  }

}
