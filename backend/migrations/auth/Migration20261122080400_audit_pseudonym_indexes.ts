import { Migration } from '@mikro-orm/migrations';

/** Finds the audit events of a deleted account. Built without locking writes. */
export class Migration20261122080400_audit_pseudonym_indexes extends Migration {
  override name = 'Migration20261122080400_audit_pseudonym_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const column of ['former_user', 'former_actor']) {
      this.addSql(`drop index concurrently if exists "audit_events_${column}_index";`);
      this.addSql(`create index concurrently "audit_events_${column}_index" on "audit_events" ("${column}") where ${column} is not null;`);
    }
  }

  override down(): void {
    for (const column of ['former_user', 'former_actor']) this.addSql(`drop index if exists "audit_events_${column}_index";`);
  }
}
