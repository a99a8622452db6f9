/** Columns of a list that change with its contacts. Screens do not reload the list's name because of them. */
const COUNTS = `array['contact_count', 'confirmed_count', 'updated_at']`;

const told = (kind: string, list: string): string =>
  `perform pg_notify('account_changes', concat_ws(' ', coalesce(${list}.owner_id::text, '-'), '${kind}', ${list}.id));`;

/**
 * A list that is created, deleted or renamed sends `list`. Changed counts, as throughout an import, send only
 * `contacts`; otherwise screens would request every list of the account again.
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
