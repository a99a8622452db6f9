import { Migration } from '@mikro-orm/migrations';

const ACTIONS = `'addTags', 'removeTags', 'addToList', 'removeFromList', 'setField', 'delete'`;

const allow = (actions: string): string[] => [
  `alter table "contact_bulk_jobs" drop constraint "contact_bulk_jobs_action_check";`,
  `alter table "contact_bulk_jobs" add constraint "contact_bulk_jobs_action_check" check (action in (${actions})) not valid;`,
  `alter table "contact_bulk_jobs" validate constraint "contact_bulk_jobs_action_check";`,
];

/** Allows bulk jobs that delete a tag or field from many contacts in batches. */
export class Migration20261123080300_cleanup_jobs extends Migration {
  override name = 'Migration20261123080300_cleanup_jobs';

  override up(): void {
    for (const statement of allow(`${ACTIONS}, 'forgetTag', 'forgetField'`)) this.addSql(statement);
  }

  override down(): void {
    this.addSql(`delete from "contact_bulk_jobs" where action in ('forgetTag', 'forgetField');`);
    for (const statement of allow(ACTIONS)) this.addSql(statement);
  }
}
