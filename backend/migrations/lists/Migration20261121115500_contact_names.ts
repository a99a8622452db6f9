import { Migration } from '@mikro-orm/migrations';

/** Sorts the contacts of a list by name, a page at a time. */
export class Migration20261121115500_contact_names extends Migration {
  override name = 'Migration20261121115500_contact_names';

  override up(): void {
    this.addSql(`create index "subscriptions_list_name_index" on "subscriptions" ("email_list_id", coalesce("name", ''), "id");`);
  }

  override down(): void {
    this.addSql(`drop index "subscriptions_list_name_index";`);
  }
}
