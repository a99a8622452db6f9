import { Migration } from '@mikro-orm/migrations';

/** The one default list, the shared network (decisions.md: network-addresses). */
export class Migration20261121070000_network_list extends Migration {
  override name = 'Migration20261121070000_network_list';

  override up(): void {
    this.addSql(`insert into email_lists (name, slug, description, is_default)
      values ('Entire network', 'network', 'Everyone who subscribed to the shared network', true) on conflict do nothing`);
  }

  override down(): void {
    this.addSql('delete from email_lists where is_default');
  }
}
