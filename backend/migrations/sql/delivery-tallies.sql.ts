/**
 * Keeps delivery_tallies with triggers on email_delivery_logs. Only final statuses are counted. Most statements on the
 * table are claims and retries, which end at the trigger's first condition. New rows are queued, so an insert costs
 * only a check of each row's status.
 */
const FINAL = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained'] as const;
const isFinal = (status: string) => `${status} in (${FINAL.map((name) => `'${name}'`).join(', ')})`;

const columns = FINAL.join(', ');
const sums = FINAL.map((name) => `coalesce(sum(m.n) filter (where m.status = '${name}'), 0)`).join(', ');
const changes = FINAL.map((name) => `sum(m.n) filter (where m.status = '${name}') <> 0`).join(' or ');
const additions = FINAL.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');

const count = (moves: string, having = '') => `
  insert into delivery_tallies as t (history_id, backend, ${columns})
  select m.history_id, pg_backend_pid(), ${sums} from (${moves}) m group by m.history_id ${having}
  on conflict (history_id, backend) do update set ${additions};`;

export const deliveryTalliesUp: string[] = [
  `create or replace function email_delivery_logs_tallied_insert() returns trigger language plpgsql as $body$
begin
  ${count('select new.history_id, new.status, 1 as n')}
  return null;
end
$body$`,
  `create or replace function email_delivery_logs_tallied_update() returns trigger language plpgsql as $body$
begin
  if not exists (select 1 from new_rows where ${isFinal('status')}) and not exists (select 1 from old_rows where ${isFinal('status')}) then
    return null;
  end if;
  ${count(
    `select history_id, status, 1 as n from new_rows where ${isFinal('status')} union all select history_id, status, -1 from old_rows where ${isFinal('status')}`,
    `having ${changes}`,
  )}
  return null;
end
$body$`,
  `create or replace function email_history_tallied_delete() returns trigger language plpgsql as $body$
begin
  delete from delivery_tallies where history_id in (select id from old_rows);
  return null;
end
$body$`,
  `create trigger email_delivery_logs_tallied_insert after insert on email_delivery_logs
   for each row when (${isFinal('new.status')}) execute function email_delivery_logs_tallied_insert()`,
  `create trigger email_delivery_logs_tallied_update after update on email_delivery_logs
   referencing old table as old_rows new table as new_rows for each statement execute function email_delivery_logs_tallied_update()`,
  `create trigger email_history_tallied_delete after delete on email_history
   referencing old table as old_rows for each statement execute function email_history_tallied_delete()`,
];

/**
 * Counts rows from before the triggers existed. They are counted under backend 0, because no connection has that
 * process id.
 */
export const deliveryTalliesFill = `
insert into delivery_tallies (history_id, backend, ${columns})
select m.history_id, 0, ${sums.replaceAll('m.n', '1')} from email_delivery_logs m where ${isFinal('m.status')} group by m.history_id`;

export const deliveryTalliesDown: string[] = [
  ['insert', 'email_delivery_logs'],
  ['update', 'email_delivery_logs'],
  ['delete', 'email_history'],
].flatMap(([event, table]) => [
  `drop trigger if exists ${table}_tallied_${event} on ${table}`,
  `drop function if exists ${table}_tallied_${event}()`,
]);
