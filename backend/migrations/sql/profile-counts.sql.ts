/**
 * Keeps profile_counts with statement-level triggers on contact_profiles. Each connection has its own row, so that
 * connections that add people to one account never wait for each other. An upsert that only updates does not count.
 */
const count = (event: 'insert' | 'delete', rows: string, sign: '' | '-', where = '') => [
  `create or replace function contact_profiles_counted_${event}() returns trigger language plpgsql as $body$
begin
  insert into profile_counts as c (owner_id, backend, profiles)
  select r.owner_id, pg_backend_pid(), ${sign}count(*) from changed_rows r ${where} group by r.owner_id order by r.owner_id
  on conflict (owner_id, backend) do update set profiles = c.profiles + excluded.profiles;
  return null;
end
$body$`,
  `create trigger contact_profiles_counted_${event} after ${event} on contact_profiles
   referencing ${rows} as changed_rows for each statement execute function contact_profiles_counted_${event}()`,
];

export const profileCountsUp: string[] = [
  ...count('insert', 'new table', ''),
  // The cascade from a deleted account runs after its counters were deleted, so the trigger must not add rows for it
  // again.
  ...count('delete', 'old table', '-', 'where exists (select 1 from users u where u.id = r.owner_id)'),
  `create or replace function users_profile_counts_delete() returns trigger language plpgsql as $body$
begin
  delete from profile_counts where owner_id in (select id from removed_rows);
  return null;
end
$body$`,
  `create trigger users_profile_counts_delete after delete on users
   referencing old table as removed_rows for each statement execute function users_profile_counts_delete()`,
];

/**
 * Counts rows from before the triggers existed. They are counted under backend 0, because no connection has that
 * process id.
 */
export const profileCountsFill = `
insert into profile_counts (owner_id, backend, profiles)
select owner_id, 0, count(*) from contact_profiles group by owner_id`;

export const profileCountsDown: string[] = [
  ['contact_profiles', 'contact_profiles_counted_insert'],
  ['contact_profiles', 'contact_profiles_counted_delete'],
  ['users', 'users_profile_counts_delete'],
].flatMap(([table, name]) => [`drop trigger if exists ${name} on ${table}`, `drop function if exists ${name}()`]);
