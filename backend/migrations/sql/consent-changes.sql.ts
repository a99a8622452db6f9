/**
 * Notifies delivery workers, in the transaction of the change, whose consent has to be checked again, because prepared
 * messages rest on an earlier check. A statement sends a few notifications at most, however many rows it changes.
 * Payloads consist of tokens: `a:` and the first bytes of an address hash, `l:` and a list, `u:` and a sender, `s:` and
 * a send, or `*` for everything.
 */
export const CONSENT_CHANNEL = 'consent_changes';
/** Tokens per notification: a payload must be shorter than 8,000 bytes, and a token has at most 38. */
const PER_PAYLOAD = 200;
/** A change with more tokens than this sends `*`, so that all prepared messages are checked again. */
const MOST_TOKENS = 4_000;
/** A statement that removes more contacts than this names their lists instead of their addresses. */
const NAMED_CONTACTS = 200;

export const addressToken = (hash: string): string => `'a:' || encode(substring(${hash} for 9), 'base64')`;

export const consentChangesUp: string[] = [
  `
create function notify_consent_changes(tokens text[]) returns void language plpgsql as $body$
begin
  if cardinality(tokens) > ${MOST_TOKENS} then
    perform pg_notify('${CONSENT_CHANNEL}', '*');
  else
    perform pg_notify('${CONSENT_CHANNEL}', string_agg(t.token, ' ')) from unnest(tokens) with ordinality as t (token, at) group by (t.at - 1) / ${PER_PAYLOAD};
  end if;
end
$body$`,
  `
create function suppressions_consent_change() returns trigger language plpgsql as $body$
begin
  perform notify_consent_changes((select array_agg(distinct ${addressToken('address_hash')}) from changed_rows));
  return null;
end
$body$`,
  `create trigger suppressions_consent_change_insert after insert on suppressions
   referencing new table as changed_rows for each statement execute function suppressions_consent_change()`,
  `create trigger suppressions_consent_change_update after update on suppressions
   referencing new table as changed_rows for each statement execute function suppressions_consent_change()`,
  `
create function subscriptions_consent_change_delete() returns trigger language plpgsql as $body$
begin
  if (select count(*) from (select 1 from removed_rows limit ${NAMED_CONTACTS + 1}) r) > ${NAMED_CONTACTS} then
    perform notify_consent_changes((select array_agg(distinct 'l:' || email_list_id) from removed_rows));
  else
    perform notify_consent_changes((select array_agg(distinct ${addressToken('email_hash')}) from removed_rows where confirmed));
  end if;
  return null;
end
$body$`,
  `create trigger subscriptions_consent_change_delete after delete on subscriptions
   referencing old table as removed_rows for each statement execute function subscriptions_consent_change_delete()`,
  `
create function subscriptions_consent_change_update() returns trigger language plpgsql as $body$
begin
  perform pg_notify('${CONSENT_CHANNEL}', ${addressToken('new.email_hash')});
  return null;
end
$body$`,
  `create trigger subscriptions_consent_change_update after update of confirmed, subscription_type on subscriptions for each row
   when (old.confirmed and (not new.confirmed or old.subscription_type is distinct from new.subscription_type)) execute function subscriptions_consent_change_update()`,
  `
create function users_consent_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('${CONSENT_CHANNEL}', 'u:' || new.id);
  return null;
end
$body$`,
  `create trigger users_consent_change after update of suspended_at, deleted_at on users for each row
   when (old.suspended_at is null and new.suspended_at is not null or old.deleted_at is null and new.deleted_at is not null) execute function users_consent_change()`,
  `
create function email_history_consent_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('${CONSENT_CHANNEL}', 's:' || new.id);
  return null;
end
$body$`,
  `create trigger email_history_consent_change after update of paused_at, cancelled_at on email_history for each row
   when (old.paused_at is null and new.paused_at is not null or old.cancelled_at is null and new.cancelled_at is not null) execute function email_history_consent_change()`,
];

export const consentChangesDown: string[] = [
  ...[
    ['suppressions', '_insert'],
    ['suppressions', '_update'],
    ['subscriptions', '_delete'],
    ['subscriptions', '_update'],
    ['users', ''],
    ['email_history', ''],
  ].map(([table, event]) => `drop trigger ${table}_consent_change${event} on ${table}`),
  `drop function suppressions_consent_change(), subscriptions_consent_change_delete(), subscriptions_consent_change_update(), users_consent_change(), email_history_consent_change()`,
  `drop function notify_consent_changes(text[])`,
];
