import { Migration } from '@mikro-orm/migrations';

/** Notifies screens that a scheduled email is due but waits for its files. */
export class Migration20261128000000_waiting_scheduled extends Migration {
  override name = 'Migration20261128000000_waiting_scheduled';

  override up(): void {
    this.addSql(`create trigger scheduled_sends_account_change_3 after update on scheduled_sends for each row
      when ((old.version, old.state) = (new.version, new.state) and old.reason_message is distinct from new.reason_message) execute function scheduled_sends_account_change()`);
  }

  override down(): void {
    this.addSql(`drop trigger if exists scheduled_sends_account_change_3 on scheduled_sends;`);
  }
}
