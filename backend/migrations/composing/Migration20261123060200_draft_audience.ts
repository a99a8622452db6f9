import { Migration } from '@mikro-orm/migrations';

/** The segments, exclusions and cap per company of a draft. */
export class Migration20261123060200_draft_audience extends Migration {
  override name = 'Migration20261123060200_draft_audience';

  override up(): void {
    this.addSql(`alter table "email_drafts" add column "audience" jsonb null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_drafts" drop column "audience";`);
  }
}
