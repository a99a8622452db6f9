/**
 * Columns that the card of a mail account shows, except the time of the last message, which changes with every message.
 */
const SHOWN = ['name', 'config', 'is_default', 'is_active', 'state', 'last_error_at', 'failures', 'held_until'];

const row = (alias: string): string => `(${SHOWN.map((column) => `${alias}.${column}`).join(', ')})`;

/** Notifies admins, because a mail account belongs to no single user account. */
export const mailAccountChangesUp: string[] = [
  `create function email_providers_account_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('account_changes', concat_ws(' ', '-', 'mail-account', coalesce(new.id, old.id)));
  return null;
end
$body$`,
  `create trigger email_providers_account_change_1 after insert or delete on email_providers for each row execute function email_providers_account_change()`,
  `create trigger email_providers_account_change_2 after update on email_providers for each row when (${row('old')} is distinct from ${row('new')}) execute function email_providers_account_change()`,
];

export const mailAccountChangesDown: string[] = [
  `drop trigger email_providers_account_change_1 on email_providers`,
  `drop trigger email_providers_account_change_2 on email_providers`,
  `drop function email_providers_account_change()`,
];
