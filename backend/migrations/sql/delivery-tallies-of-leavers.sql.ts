/**
 * Also counts, per send, the deliveries after which the recipient unsubscribed, so that the numbers outlive the
 * delivery rows. Such a delivery always has a final status, so the first condition of the trigger stays as cheap as
 * before.
 */
const FINAL = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained'] as const;
const LEFT = 'unsubscribed';
const finals = FINAL.map((name) => `'${name}'`).join(', ');
const isFinal = `status in (${finals})`;

const conditions = [
  ...FINAL.map((name) => ({ name: name as string, holds: `m.status = '${name}'` })),
  { name: LEFT, holds: 'm.has_left' },
];
const columns = conditions.map(({ name }) => name).join(', ');
const sums = conditions.map(({ holds }) => `coalesce(sum(m.n) filter (where ${holds}), 0)`).join(', ');
const changes = conditions.map(({ holds }) => `sum(m.n) filter (where ${holds}) <> 0`).join(' or ');
const additions = conditions.map(({ name }) => `${name} = t.${name} + excluded.${name}`).join(', ');
const moves = (table: string, n: number) =>
  `select history_id, status, unsubscribed_at is not null as has_left, ${n} as n from ${table} where ${isFinal}`;

const update = (
  body: string,
) => `create or replace function email_delivery_logs_tallied_update() returns trigger language plpgsql as $body$
begin
  if not exists (select 1 from new_rows where ${isFinal}) and not exists (select 1 from old_rows where ${isFinal}) then
    return null;
  end if;
  ${body}
  return null;
end
$body$`;

export const talliesOfLeaversUp: string[] = [
  `alter table delivery_tallies add column unsubscribed int not null default 0`,
  update(`
  insert into delivery_tallies as t (history_id, backend, ${columns})
  select m.history_id, pg_backend_pid(), ${sums} from (${moves('new_rows', 1)} union all ${moves('old_rows', -1)}) m group by m.history_id having ${changes}
  on conflict (history_id, backend) do update set ${additions};`),
  `insert into delivery_tallies as t (history_id, backend, unsubscribed)
   select history_id, 0, count(*) from email_delivery_logs where unsubscribed_at is not null group by history_id
   on conflict (history_id, backend) do update set unsubscribed = excluded.unsubscribed`,
];
