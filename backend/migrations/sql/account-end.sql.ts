/**
 * Keeps what must outlive an account, a list or a contact. Triggers do it, so that every kind of deletion is covered,
 * including cascades. Unsubscribe links in mails that were already sent keep working (decisions.md: unsubscribe-links),
 * suppressions stay as hashes, and consent evidence of a deleted account is deleted. A list's links are copied before
 * the list is deleted, because the cascade deletes its contacts only afterwards.
 */
const retire = (from: string, where: string) => `
  insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
  select c.unsubscribe_token, c.email, c.email_norm, c.email_hash, ${from} ${where}
  on conflict (token) do nothing;`;

const fn = (name: string, body: string) =>
  `create or replace function ${name}() returns trigger language plpgsql as $body$\nbegin${body}\nend\n$body$`;

export const accountEndUp: string[] = [
  fn(
    'email_lists_retire_links',
    `${retire(
      'old.owner_id, old.id, old.name from subscriptions c',
      'where c.email_list_id = old.id and (c.confirmed or c.confirmed_at is not null or c.suppressed is not null)',
    )}
  return old;`,
  ),
  fn(
    'subscriptions_retire_links',
    `${retire('l.owner_id, l.id, l.name from removed_rows c join email_lists l on l.id = c.email_list_id', '')}
  return null;`,
  ),
  fn(
    'users_forget_contacts',
    `
  delete from consent_events where owner_id = old.id;
  update suppressions set address_norm = null where owner_id = old.id and address_norm is not null;
  return old;`,
  ),
  `create trigger email_lists_retire_links before delete on email_lists for each row execute function email_lists_retire_links()`,
  `create trigger subscriptions_retire_links after delete on subscriptions
   referencing old table as removed_rows for each statement execute function subscriptions_retire_links()`,
  `create trigger users_forget_contacts before delete on users for each row execute function users_forget_contacts()`,
];

export const accountEndDown: string[] = [
  ['email_lists', 'email_lists_retire_links'],
  ['subscriptions', 'subscriptions_retire_links'],
  ['users', 'users_forget_contacts'],
].flatMap(([table, name]) => [`drop trigger if exists ${name} on ${table}`, `drop function if exists ${name}()`]);
