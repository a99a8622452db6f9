import { Migration } from '@mikro-orm/migrations';

/** The parts of the sender's profile that a send used, for drafts and templates that are made from it. */
export class Migration20261127220000_sent_options extends Migration {
  override name = 'Migration20261127220000_sent_options';

  override up(): void {
    this.addSql(`alter table "send_messages" add column "options" jsonb null;`);
  }

  override down(): void {
    this.addSql(`alter table "send_messages" drop column "options";`);
  }
}
