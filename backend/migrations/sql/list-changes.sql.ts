/** What contacts change of a list, and when it was changed: no screen reloads names for them. */
const COUNTS = `array['contact_count', 'confirmed_count', 'updated_at']`;

const told = (kind: string, list: string): string =>
  `perform pg_notify('account_changes', concat_ws(' ', coalesce(${list}.owner_id::text, '-'), '${kind}', ${list}.id));`;

/**
 * A list that comes, goes or is renamed is told as `list`; counts that move, as they do all through an import, as
 * `contacts` only: every list an account may send to would be asked for again otherwise.
 */
export const listChangesUp = `
create or replace function email_lists_account_change() returns trigger language plpgsql as $body$
begin
  if tg_op = 'DELETE' then
    ${told('list', 'old')}
    return null;
  end if;
  if tg_op = 'INSERT' or to_jsonb(old) - ${COUNTS} is distinct from to_jsonb(new) - ${COUNTS} then
    ${told('list', 'new')}
  end if;
  if tg_op = 'UPDATE' and (old.contact_count, old.confirmed_count) is distinct from (new.contact_count, new.confirmed_count) then
    ${told('contacts', 'new')}
  end if;
  return null;
end
$body$`;

export const listChangesDown = `
create or replace function email_lists_account_change() returns trigger language plpgsql as $body$
begin
  if tg_op = 'DELETE' then
    ${told('list', 'old')}
    return null;
  end if;
  ${told('list', 'new')}
  if tg_op = 'UPDATE' and (old.contact_count, old.confirmed_count) is distinct from (new.contact_count, new.confirmed_count) then
    ${told('contacts', 'new')}
  end if;
  return null;
end
$body$`;
