import { Migration } from '@mikro-orm/migrations';

/** The parts of the sender's profile that a message made from a template uses. */
export class Migration20261127220100_template_options extends Migration {
  override name = 'Migration20261127220100_template_options';

  override up(): void {
    this.addSql(`alter table "email_templates" add column "options" jsonb null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_templates" drop column "options";`);
  }
}
