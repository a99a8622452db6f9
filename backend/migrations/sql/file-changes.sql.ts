/**
 * Columns of a file that screens show. The time of its last use is not among them, because it changes with every
 * download.
 */
const SHOWN = [
  'name',
  'media_type',
  'byte_size',
  'storage_key',
  'scan',
  'stored_at',
  'deleted_at',
  'taken_down_at',
  'reports',
];

const row = (alias: string): string => `(${SHOWN.map((column) => `${alias}.${column}`).join(', ')})`;

export const fileChangesUp: string[] = [
  `create function files_account_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('account_changes', concat_ws(' ', coalesce(new.user_id, old.user_id), 'file', coalesce(new.id, old.id)));
  return null;
end
$body$`,
  `create trigger files_account_change_1 after insert or delete on files for each row execute function files_account_change()`,
  `create trigger files_account_change_2 after update on files for each row when (${row('old')} is distinct from ${row('new')}) execute function files_account_change()`,
];

export const fileChangesDown: string[] = [
  `drop trigger files_account_change_1 on files`,
  `drop trigger files_account_change_2 on files`,
  `drop function files_account_change()`,
];
