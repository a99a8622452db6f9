import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the audit events of a deleted account, under a pseudonym. This covers what the account did and what was done to
 * it.
 */
export class Migration20261122080300_audit_pseudonyms extends Migration {
  override name = 'Migration20261122080300_audit_pseudonyms';

  override up(): void {
    this.addSql(`alter table "audit_events" add column "former_user" uuid null, add column "former_actor" uuid null;`);
    this.addSql(`alter table "audit_events" alter column "user_id" drop not null;`);
  }

  override down(): void {
    this.addSql(`delete from "audit_events" where "user_id" is null;`);
    this.addSql(`alter table "audit_events" alter column "user_id" set not null;`);
    this.addSql(`alter table "audit_events" drop column "former_user", drop column "former_actor";`);
  }
}
