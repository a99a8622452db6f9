import { Migration } from '@mikro-orm/migrations';

export class Migration20261121180951_lifted_index extends Migration {

  override name = 'Migration20261121180951_lifted_index';

  override up(): void | Promise<void> {
    this.addSql(`create index "lifted_suppressions_lifted_index" on "lifted_suppressions" ("lifted_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "lifted_suppressions_lifted_index";`);
  }

}
