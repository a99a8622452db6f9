import { Migration } from '@mikro-orm/migrations';
import { contactCountsDown, contactCountsUp } from '../sql/contact-counts.sql.js';

/**
 * Counters of contacts, indexes for the filters of the contact table, and the columns that an import needs to continue.
 */
export class Migration20261121080000_contacts extends Migration {
  override name = 'Migration20261121080000_contacts';

  override up(): void {
    this.addSql(`alter table "contact_imports" add column "subscription_type" text not null default 'job-posts', add column "attempts" int not null default 0`);
    this.addSql(`alter table "contact_imports" alter column "subscription_type" drop default`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_type_check" check (subscription_type in ('job-posts', 'candidate-lists'))`);
    this.addSql(`alter table "contact_imports" drop constraint "contact_imports_status_check"`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_status_check" check (status in ('uploading', 'queued', 'running', 'done', 'failed'))`);
    this.addSql(`drop index "contact_imports_open_index"`);
    this.addSql(`create index "contact_imports_open_index" on "contact_imports" ("created_at") where status in ('uploading', 'queued', 'running')`);
    this.addSql(`create index "subscriptions_pending_index" on "subscriptions" ("email_list_id", "created_at", "id") where not confirmed`);
    this.addSql(`create index "subscriptions_confirmed_index" on "subscriptions" ("email_list_id", "created_at", "id") where confirmed`);
    this.addSql(`create index "subscriptions_left_index" on "subscriptions" ("email_list_id", "created_at", "id") where suppressed in ('unsubscribed', 'complained')`);
    this.addSql(`drop index "subscriptions_opt_in_due"`);
    this.addSql(`create index "subscriptions_opt_in_due" on "subscriptions" ("email_list_id", "source", "opt_in_due_at", "id") where opt_in_state = 'due'`);
    for (const sql of contactCountsUp) this.addSql(sql);
  }

  override down(): void {
    for (const sql of contactCountsDown) this.addSql(sql);
    this.addSql(`drop index "subscriptions_opt_in_due"`);
    this.addSql(`create index "subscriptions_opt_in_due" on "subscriptions" ("opt_in_due_at", "id") where opt_in_state = 'due'`);
    for (const name of ['pending', 'confirmed', 'left']) this.addSql(`drop index "subscriptions_${name}_index"`);
    this.addSql(`drop index "contact_imports_open_index"`);
    this.addSql(`create index "contact_imports_open_index" on "contact_imports" ("created_at") where status in ('queued', 'running')`);
    this.addSql(`update "contact_imports" set "status" = 'failed' where "status" = 'uploading'`);
    this.addSql(`alter table "contact_imports" drop constraint "contact_imports_status_check"`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_status_check" check (status in ('queued', 'running', 'done', 'failed'))`);
    this.addSql(`alter table "contact_imports" drop column "subscription_type", drop column "attempts"`);
  }
}
