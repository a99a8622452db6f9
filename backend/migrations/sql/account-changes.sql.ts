/**
 * Notifies the web instances, in the transaction of the change, what changed for which account. A payload is `<account>
 * <kind> <id>`, with `-` for a missing part. Triggers on the rows send it, so that no code that writes them can forget
 * it: batches, sweepers, admins, the command line. PostgreSQL drops repeated payloads of one transaction. There is no
 * notification for each delivery: see ProgressWatch.
 */
const CHANNEL = 'account_changes';

const notify = (account: string, kind: string, id = `'-'`): string =>
  `perform pg_notify('${CHANNEL}', concat_ws(' ', coalesce(${account}::text, '-'), '${kind}', ${id}));`;

const fn = (name: string, body: string): string => `
create function ${name}() returns trigger language plpgsql as $body$
begin
  ${body}
  return null;
end
$body$`;

/** A row-level trigger for each event. An event's `on` and `when` select the changes that matter. */
const forRows = (table: string, body: string, events: { on: string; when?: string }[]): string[] => [
  fn(`${table}_account_change`, body),
  ...events.map(
    ({ on, when }, i) =>
      `create trigger ${table}_account_change_${i + 1} after ${on} on ${table} for each row ${when ? `when (${when}) ` : ''}execute function ${table}_account_change()`,
  ),
];

const differs = (...columns: string[]): string =>
  `(${columns.map((name) => `old.${name}`).join(', ')}) is distinct from (${columns.map((name) => `new.${name}`).join(', ')})`;

const PLAN = [
  'tier',
  'plan_access_until',
  'referral_access_from',
  'referral_access_until',
  'referral_credits_months',
  'subscription_status',
  'subscription_end_date',
];
const PROFILE = [
  'email',
  'first_name',
  'last_name',
  'agency_name',
  'profile_image_url',
  'role',
  'time_zone',
  'is_admin',
  'custom_daily_limit',
  'suspended_at',
  'deleted_at',
];

/**
 * The triggers that count contacts update the list. A notification for the list therefore covers every contact that is
 * added, removed, confirmed or unsubscribed.
 */
const LIST = `
  if tg_op = 'DELETE' then
    ${notify('old.owner_id', 'list', 'old.id')}
    return null;
  end if;
  ${notify('new.owner_id', 'list', 'new.id')}
  if tg_op = 'UPDATE' and (old.contact_count, old.confirmed_count) is distinct from (new.contact_count, new.confirmed_count) then
    ${notify('new.owner_id', 'contacts', 'new.id')}
  end if;`;

export const accountChangesUp: string[] = [
  ...forRows('email_lists', LIST, [{ on: 'insert or update or delete' }]),
  fn(
    'subscriptions_account_change',
    `
  perform pg_notify('${CHANNEL}', concat_ws(' ', coalesce(l.owner_id::text, '-'), 'contacts', l.id))
  from email_lists l where l.id in (select email_list_id from changed_rows);`,
  ),
  `create trigger subscriptions_account_change after update on subscriptions
   referencing new table as changed_rows for each statement execute function subscriptions_account_change()`,
  ...forRows('contact_imports', notify('new.user_id', 'import', 'new.id'), [
    { on: 'insert' },
    { on: 'update', when: differs('status', 'total', 'added', 'skipped', 'attestation_state') },
  ]),
  ...forRows(
    'email_history',
    `
  if tg_op = 'DELETE' then
    ${notify('old.user_id', 'send', 'old.id')}
  else
    ${notify('new.user_id', 'send', 'new.id')}
  end if;`,
    [
      { on: 'insert or delete' },
      { on: 'update', when: differs('status', 'paused_at', 'cancelled_at', 'recipient_count') },
    ],
  ),
  // Notifies only of reports that come in later. A refusal by the mail server is counted with the results of its send.
  ...forRows('bounce_reports', notify('new.user_id', 'send', 'new.history_id'), [
    { on: 'insert', when: `new.history_id is not null and new.report_key <> 'smtp'` },
  ]),
  // Fires only for unsubscriptions after the delivery: no statement of the delivery path writes unsubscribed_at.
  ...forRows('email_delivery_logs', notify('new.user_id', 'send', 'new.history_id'), [
    { on: 'update of unsubscribed_at', when: differs('unsubscribed_at') },
  ]),
  ...forRows('usage_tracking', notify('new.user_id', 'usage'), [{ on: 'insert or update' }]),
  ...forRows(
    'mailbox_usage',
    `perform pg_notify('${CHANNEL}', concat_ws(' ', id, 'usage', '-')) from users where mailbox_hash = new.mailbox_hash;`,
    [{ on: 'insert or update' }],
  ),
  ...forRows(
    'users',
    `
  if ${differs(...PLAN)} then
    ${notify('new.id', 'plan')}
  end if;
  ${notify('new.id', 'me')}`,
    [{ on: 'update', when: differs(...PROFILE, ...PLAN) }],
  ),
  ...forRows('auth_credentials', notify('new.user_id', 'me'), [{ on: 'update', when: differs('is_verified') }]),
  ...forRows(
    'auth_sessions',
    `
  if tg_op = 'DELETE' then
    ${notify('old.user_id', 'session')}
  else
    ${notify('new.user_id', 'session')}
  end if;`,
    [{ on: 'insert or delete' }],
  ),
  ...forRows('user_subscriptions', notify('new.user_id', 'plan'), [
    { on: 'insert or update', when: 'new.user_id is not null' },
  ]),
  ...forRows('referral_invites', notify('new.inviter_user_id', 'referral'), [{ on: 'insert or update' }]),
  ...forRows('referral_conversions', notify('new.referrer_user_id', 'referral'), [{ on: 'insert or update' }]),
];

const TABLES = [
  'email_lists',
  'contact_imports',
  'email_history',
  'bounce_reports',
  'email_delivery_logs',
  'usage_tracking',
  'mailbox_usage',
  'users',
  'auth_credentials',
  'auth_sessions',
  'user_subscriptions',
  'referral_invites',
  'referral_conversions',
];

export const accountChangesDown: string[] = [
  `drop trigger subscriptions_account_change on subscriptions`,
  `drop function subscriptions_account_change()`,
  ...TABLES.flatMap((table) => [
    `drop trigger ${table}_account_change_1 on ${table}`,
    `drop trigger if exists ${table}_account_change_2 on ${table}`,
    `drop function ${table}_account_change()`,
  ]),
];
