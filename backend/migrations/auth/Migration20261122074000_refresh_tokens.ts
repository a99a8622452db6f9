import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the unused successors of a session's refresh token beside the newest token, so that a refresh token can be
 * exchanged again when the answer was lost.
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
