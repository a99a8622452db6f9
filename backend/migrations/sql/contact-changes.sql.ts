/**
 * Columns of a contact that affect screens: its row, its list's counts and confirmations, and the events of the
 * dashboard.
 */
const SHOWN = [
  'email',
  'name',
  'subscription_type',
  'confirmed',
  'confirmed_at',
  'suppressed',
  'unsubscribed_at',
  'opt_in_state',
];

const row = (alias: string): string => `(${SHOWN.map((column) => `${alias}.${column}`).join(', ')})`;

const fn = (changedLists: string): string => `
create or replace function subscriptions_account_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('account_changes', concat_ws(' ', coalesce(l.owner_id::text, '-'), 'contacts', l.id))
  from email_lists l where l.id in (${changedLists});
  return null;
end
$body$`;

const trigger = (
  tables: string,
): string => `create or replace trigger subscriptions_account_change after update on subscriptions
   referencing ${tables} for each statement execute function subscriptions_account_change()`;

/**
 * A statement that changes no column of SHOWN sends no notification: deliveries record after each first message that
 * the introduction is no longer due. The trigger is replaced and not dropped, because replacing it waits only for
 * writers and not for readers.
 */
export const contactChangesUp: string[] = [
  fn(
    `select n.email_list_id from changed_rows n join former_rows o on o.id = n.id where ${row('n')} is distinct from ${row('o')}`,
  ),
  trigger('old table as former_rows new table as changed_rows'),
];

export const contactChangesDown: string[] = [
  fn('select email_list_id from changed_rows'),
  trigger('new table as changed_rows'),
];
