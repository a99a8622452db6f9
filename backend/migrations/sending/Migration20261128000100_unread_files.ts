import { Migration } from '@mikro-orm/migrations';

/** The time since which the attached files of a send cannot be read. Screens are notified of it. */
export class Migration20261128000100_unread_files extends Migration {
  override name = 'Migration20261128000100_unread_files';

  override up(): void {
    this.addSql(`alter table "email_history" add column "files_unread_at" timestamptz null, add column "files_missing_at" timestamptz null;`);
    this.addSql(`create trigger email_history_account_change_3 after update on email_history for each row when ((old.files_unread_at, old.files_missing_at) is distinct from (new.files_unread_at, new.files_missing_at)) execute function email_history_account_change();`);
  }

  override down(): void {
    this.addSql(`drop trigger email_history_account_change_3 on email_history;`);
    this.addSql(`alter table "email_history" drop column "files_unread_at", drop column "files_missing_at";`);
  }
}
