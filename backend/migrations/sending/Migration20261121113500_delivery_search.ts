import { Migration } from '@mikro-orm/migrations';

/**
 * The delivery log of a large send: its addresses in blocks for the search, an index for deliveries that wait after a
 * refusal, and one for deliveries that can be retried.
 */
export class Migration20261121113500_delivery_search extends Migration {
  override name = 'Migration20261121113500_delivery_search';

  override up(): void {
    this.addSql(`create table "delivery_address_blocks" ("history_id" uuid not null, "first_position" int not null, "count" int not null, "addresses" text not null, "created_at" timestamptz not null default now(), primary key ("history_id", "first_position"));`);
    this.addSql(`create index "delivery_address_blocks_created_index" on "delivery_address_blocks" ("created_at");`);
    this.addSql(`alter table "delivery_address_blocks" add constraint "delivery_address_blocks_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
    // Uncompressed, because a search reads every block.
    this.addSql(`alter table "delivery_address_blocks" alter column "addresses" set storage external`);
    this.addSql(`create index "email_delivery_logs_apart_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('deferred', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained');`);
    this.addSql(`drop index "email_delivery_logs_unlucky_index";`);
    this.addSql(`create index "email_delivery_logs_passing_index" on "email_delivery_logs" ("history_id", "position") where status = 'failed' and metadata->>'class' in ('mailbox-soft', 'transient', 'expired', 'connection');`);
  }

  override down(): void {
    this.addSql(`drop index "email_delivery_logs_passing_index";`);
    this.addSql(`create index "email_delivery_logs_unlucky_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('unconfirmed', 'failed', 'skipped', 'bounced', 'complained');`);
    this.addSql(`drop index "email_delivery_logs_apart_index";`);
    this.addSql(`drop table "delivery_address_blocks";`);
  }
}
