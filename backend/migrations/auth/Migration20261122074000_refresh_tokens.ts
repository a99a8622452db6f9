import { Migration } from '@mikro-orm/migrations';

/**
 * A refresh token whose answer was lost may be exchanged again: keeps the unused successors of a session beside its
 * newest token.
 */
export class Migration20261122074000_refresh_tokens extends Migration {
  override name = 'Migration20261122074000_refresh_tokens';

  override up(): void {
    this.addSql(`alter table "auth_sessions" add column "pending_tokens" jsonb not null default '[]'`);
  }

  override down(): void {
    this.addSql(`alter table "auth_sessions" drop column "pending_tokens"`);
  }
}
