/**
 * Keeps contact_count and confirmed_count of email_lists with statement-level triggers: one UPDATE per statement and
 * list, however many rows changed. Counted are Pending and Confirmed contacts; a contact that bounced stays counted.
 * The lists are first locked in the order of their ids, so that two statements over the same lists cannot deadlock.
 */
const counted = `(suppressed is null or suppressed = 'bounced')`;

const sums = (table: string, sign: '' | '-') =>
  `select email_list_id, ${sign}count(*)::int as contacts, ${sign}(count(*) filter (where confirmed))::int as confirmed
   from ${table} where ${counted} group by email_list_id`;

const apply = (name: string, deltas: string) => `
create or replace function ${name}() returns trigger language plpgsql as $body$
declare
  list_ids uuid[];
  contact_deltas int[];
  confirmed_deltas int[];
begin
  select array_agg(d.email_list_id order by d.email_list_id), array_agg(d.contacts order by d.email_list_id), array_agg(d.confirmed order by d.email_list_id)
  into list_ids, contact_deltas, confirmed_deltas
  from (
    select s.email_list_id, sum(s.contacts)::int as contacts, sum(s.confirmed)::int as confirmed
    from (${deltas}) s group by s.email_list_id having sum(s.contacts) <> 0 or sum(s.confirmed) <> 0
  ) d;
  if list_ids is null then
    return null;
  end if;
  perform 1 from email_lists where id = any (list_ids) order by id for no key update;
  update email_lists l
  set contact_count = l.contact_count + d.contacts, confirmed_count = l.confirmed_count + d.confirmed
  from unnest(list_ids, contact_deltas, confirmed_deltas) as d (id, contacts, confirmed)
  where l.id = d.id;
  return null;
end
$body$`;

export const contactCountsUp: string[] = [
  apply('subscriptions_counted_insert', sums('added_rows', '')),
  apply('subscriptions_counted_delete', sums('removed_rows', '-')),
  apply('subscriptions_counted_update', `${sums('removed_rows', '-')} union all ${sums('added_rows', '')}`),
  `create trigger subscriptions_counted_insert after insert on subscriptions
   referencing new table as added_rows for each statement execute function subscriptions_counted_insert()`,
  `create trigger subscriptions_counted_delete after delete on subscriptions
   referencing old table as removed_rows for each statement execute function subscriptions_counted_delete()`,
  `create trigger subscriptions_counted_update after update on subscriptions
   referencing old table as removed_rows new table as added_rows for each statement execute function subscriptions_counted_update()`,
];

export const contactCountsDown: string[] = ['insert', 'delete', 'update'].flatMap((event) => [
  `drop trigger if exists subscriptions_counted_${event} on subscriptions`,
  `drop function if exists subscriptions_counted_${event}()`,
]);
