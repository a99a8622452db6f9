import { Migration } from '@mikro-orm/migrations';

/** Indexes for paging the admin screens, and columns for carrying out a decision about an attested import. */
export class Migration20261121091200_admin extends Migration {
  override name = 'Migration20261121091200_admin';

  override up(): void {
    this.addSql(`alter table "contact_imports" add "decided_at" timestamptz null, add "decided_by" uuid null, add "carried_out_at" timestamptz null`);
    this.addSql(`create index "contact_imports_decided_index" on "contact_imports" ("decided_at") where decided_at is not null and carried_out_at is null`);
    this.addSql(`create index "subscriptions_created_index" on "subscriptions" ("created_at", "id")`);
    this.addSql(`create index "subscriptions_all_pending_index" on "subscriptions" ("created_at", "id") where not confirmed`);
    this.addSql(`create index "suppressions_created_index" on "suppressions" ("created_at", "id")`);
    this.addSql(`create index "suppressions_address_trigram" on "suppressions" using gin ("address_norm" gin_trgm_ops)`);
    this.addSql(`create index "email_history_sent_index" on "email_history" ("sent_at", "id")`);
  }

  override down(): void {
    for (const name of ['email_history_sent_index', 'suppressions_address_trigram', 'suppressions_created_index', 'subscriptions_all_pending_index', 'subscriptions_created_index', 'contact_imports_decided_index']) {
      this.addSql(`drop index "${name}"`);
    }
    this.addSql(`alter table "contact_imports" drop column "decided_at", drop column "decided_by", drop column "carried_out_at"`);
  }
}
