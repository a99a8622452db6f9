import { Migration } from '@mikro-orm/migrations';

/** Finds the last event of a list by one index lookup, for the dashboard of an account with thousands of lists. */
export class Migration20261121114853_last_event extends Migration {

  override name = 'Migration20261121114853_last_event';

  override up(): void | Promise<void> {
    this.addSql(`create index "subscriptions_last_event_index" on "subscriptions" ("email_list_id", (greatest(case when import_id is null then created_at end, case when (consent ->> 'how') is distinct from 'attestation' then confirmed_at end, unsubscribed_at))) where greatest(case when import_id is null then created_at end, case when (consent ->> 'how') is distinct from 'attestation' then confirmed_at end, unsubscribed_at) is not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "subscriptions_last_event_index";`);
  }

}
