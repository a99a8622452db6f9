import { Migration } from '@mikro-orm/migrations';

/** Finds the accounts of a mailbox. Built without locking writes. */
export class Migration20261122072600_mailbox_index extends Migration {
  override name = 'Migration20261122072600_mailbox_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "users_mailbox_index";`);
    this.addSql(`create index concurrently "users_mailbox_index" on "users" ("mailbox_hash");`);
  }

  override down(): void {
    this.addSql(`drop index if exists "users_mailbox_index";`);
  }
}
