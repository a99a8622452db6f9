import { Migration } from '@mikro-orm/migrations';

/** Ensures that a draft is sent at most once. Built without locking writes. */
export class Migration20261122171100_sent_drafts extends Migration {

  override name = 'Migration20261122171100_sent_drafts';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "email_history_draft_unique";`);
    this.addSql(`create unique index concurrently "email_history_draft_unique" on "email_history" ("draft_id") where draft_id is not null;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "email_history_draft_unique";`);
  }

}
