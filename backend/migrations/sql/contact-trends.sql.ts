/**
 * Keeps contact_trends with statement-level triggers on subscriptions. Contacts of the shared network, which belong to
 * no account, are not counted.
 */
const quarter = (time: string) => `date_bin('15 minutes', ${time}, timestamptz '2000-01-01 00:00:00+00')`;

/** The time within which an unsubscribe can be undone. An undone one is not counted. */
const UNDO = `interval '10 minutes'`;

const trigger = (event: string, rows: string, body: string) => [
  `create or replace function subscriptions_trend_${event}() returns trigger language plpgsql as $body$
begin
  ${body}
  return null;
end
$body$`,
  `create trigger subscriptions_trend_${event} after ${event} on subscriptions
   referencing ${rows} for each statement execute function subscriptions_trend_${event}()`,
];

export const contactTrendsUp: string[] = [
  ...trigger(
    'insert',
    'new table as added_rows',
    `insert into contact_trends as t (owner_id, quarter, backend, added)
  select l.owner_id, ${quarter('a.created_at')} as quarter, pg_backend_pid(), count(*)
  from added_rows a join email_lists l on l.id = a.email_list_id where l.owner_id is not null group by 1, 2
  on conflict (owner_id, quarter, backend) do update set added = t.added + excluded.added;`,
  ),
  ...trigger(
    'update',
    'old table as removed_rows new table as added_rows',
    `insert into contact_trends as t (owner_id, quarter, backend, unsubscribed)
  select l.owner_id, ${quarter('coalesce(n.unsubscribed_at, o.unsubscribed_at)')} as quarter, pg_backend_pid(), sum(case when n.unsubscribed_at is null then -1 else 1 end)
  from removed_rows o join added_rows n on n.id = o.id join email_lists l on l.id = n.email_list_id
  where l.owner_id is not null and (o.unsubscribed_at is null) <> (n.unsubscribed_at is null)
    and (n.unsubscribed_at is not null or o.unsubscribed_at > now() - ${UNDO})
  group by 1, 2
  on conflict (owner_id, quarter, backend) do update set unsubscribed = t.unsubscribed + excluded.unsubscribed;`,
  ),
  `create or replace function users_trend_delete() returns trigger language plpgsql as $body$
begin
  delete from contact_trends where owner_id in (select id from removed_rows);
  return null;
end
$body$`,
  `create trigger users_trend_delete after delete on users
   referencing old table as removed_rows for each statement execute function users_trend_delete()`,
];

/**
 * Counts rows from before the triggers existed. They are counted under backend 0, because no connection has that
 * process id.
 */
export const contactTrendsFill = `
insert into contact_trends (owner_id, quarter, backend, added, unsubscribed)
select l.owner_id, f.quarter, 0, sum(f.added), sum(f.unsubscribed)
from (
  select email_list_id, ${quarter('created_at')} as quarter, 1 as added, 0 as unsubscribed from subscriptions
  union all
  select email_list_id, ${quarter('unsubscribed_at')}, 0, 1 from subscriptions where unsubscribed_at is not null
) f join email_lists l on l.id = f.email_list_id
where l.owner_id is not null
group by 1, 2`;

export const contactTrendsDown: string[] = [
  ['insert', 'subscriptions'],
  ['update', 'subscriptions'],
  ['delete', 'users'],
].flatMap(([event, table]) => [
  `drop trigger if exists ${table}_trend_${event} on ${table}`,
  `drop function if exists ${table}_trend_${event}()`,
]);
