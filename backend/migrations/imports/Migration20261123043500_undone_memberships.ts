import { Migration } from '@mikro-orm/migrations';

/** Undoing an import counts deleted people separately from people who were only taken off the list. */
export class Migration20261123043500_undone_memberships extends Migration {

  override name = 'Migration20261123043500_undone_memberships';

  override up(): void {
    this.addSql(`alter table "contact_imports" add column "taken_off" int not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "contact_imports" drop column "taken_off";`);
  }

}
