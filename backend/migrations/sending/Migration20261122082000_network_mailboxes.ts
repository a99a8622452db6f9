import { Migration } from '@mikro-orm/migrations';

/** The mailbox of each mail that counts under the network's daily cap. */
export class Migration20261122082000_network_mailboxes extends Migration {
  override name = 'Migration20261122082000_network_mailboxes';

  override up(): void {
    this.addSql(`alter table "network_mails" add column "sender_mailbox" bytea null;`);
  }

  override down(): void {
    this.addSql(`alter table "network_mails" drop column "sender_mailbox";`);
  }
}
