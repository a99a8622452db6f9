import { Migration } from '@mikro-orm/migrations';

/** How far a send's deliveries are written into contact_activity. Earlier sends are pending, like new ones. */
export class Migration20261123050100_contact_activity extends Migration {
  override name = 'Migration20261123050100_contact_activity';

  override up(): void {
    this.addSql(`alter table "email_history" add column "activity_pending" boolean not null default true, add column "activity_position" int not null default 0,
      add column "activity_started_at" timestamptz null, add column "activity_until" timestamptz null;`);
  }

  override down(): void {
    this.addSql(`alter table "email_history" drop column "activity_pending", drop column "activity_position", drop column "activity_started_at", drop column "activity_until";`);
  }
}
