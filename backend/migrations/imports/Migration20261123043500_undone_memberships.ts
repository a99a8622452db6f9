import { Migration } from '@mikro-orm/migrations';

/** Undo of an import counts people whom it removes apart from those whom it takes off the list only. */
export class Migration20261123043500_undone_memberships extends Migration {

  override name = 'Migration20261123043500_undone_memberships';

  override up(): void {
    this.addSql(`alter table "contact_imports" add column "taken_off" int not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "contact_imports" drop column "taken_off";`);
  }

}
