import { Migration } from '@mikro-orm/migrations';

/** The job that the draft of a job post offers. */
export class Migration20261127170000_draft_jobs extends Migration {

  override name = 'Migration20261127170000_draft_jobs';

  override up(): void {
    this.addSql(`alter table "email_drafts" add column "job" jsonb null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_drafts" drop column "job";`);
  }

}
