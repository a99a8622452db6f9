import { Migration } from '@mikro-orm/migrations';

const ACTIONS = `'addTags', 'removeTags', 'addToList', 'removeFromList', 'setField', 'delete', 'forgetTag', 'forgetField'`;

const allow = (actions: string): string[] => [
  `alter table "contact_bulk_jobs" drop constraint "contact_bulk_jobs_action_check";`,
  `alter table "contact_bulk_jobs" add constraint "contact_bulk_jobs_action_check" check (action in (${actions})) not valid;`,
  `alter table "contact_bulk_jobs" validate constraint "contact_bulk_jobs_action_check";`,
];

/** Allows bulk jobs that turn a field of many contacts into a text field in batches. */
export class Migration20261128020000_field_to_text extends Migration {
  override name = 'Migration20261128020000_field_to_text';

  override up(): void {
    for (const statement of allow(`${ACTIONS}, 'fieldToText'`)) this.addSql(statement);
  }

  override down(): void {
    this.addSql(`delete from "contact_bulk_jobs" where action = 'fieldToText';`);
    for (const statement of allow(ACTIONS)) this.addSql(statement);
  }
}
