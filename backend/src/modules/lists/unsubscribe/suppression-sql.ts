import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** SQL condition: suppression row `s` is in force. */
export const IN_FORCE = '(s.expires_at is null or s.expires_at > now())';

/**
 * SQL condition: a suppression forbids mail to contact `c` of list `l`. It is a suppression by the sending user, one
 * for the default list if `l` is the default list, or one for all mail unless the person has confirmed by link since.
 * @param sender placeholder for the id of the sending user; null: the owner of the list sends
 */
export function suppressedFor(sender: string | null): string {
  return `exists (select 1 from suppressions s where ${IN_FORCE} and ${reaches(sender)})`;
}

/**
 * `suppressedFor` as an SQL join, for statements over whole lists: builds one hash table instead of a lookup for each
 * contact. A contact gets a row for each suppression `s` that forbids mail to it, and one row without `s` if none does.
 * Parameters: the sending user, twice; the first only keeps other users' suppressions out of the hash table.
 */
export const SUPPRESSION_JOIN = `left join suppressions s on ${IN_FORCE} and (s.scope <> 'owner' or s.owner_id = ?::uuid) and ${reaches('?::uuid')}`;

/**
 * SQL condition: mail is forbidden now, or was forbidden at any time since a given time. Includes suppressions that
 * have expired since then. Lifted suppressions are checked per row only if any exist. Parameters: time, sender, time,
 * sender, time, time, time.
 */
export const SUPPRESSED_SINCE = `(
  exists (select 1 from suppressions s where (s.expires_at is null or s.expires_at >= least(?::timestamptz, now())) and ${reaches('?::uuid')})
  or (exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz)
      and exists (select 1 from lifted_suppressions s where ${reaches('?::uuid')} and s.lifted_at > ?::timestamptz and s.created_at <= ?::timestamptz and (s.expires_at is null or s.expires_at > ?::timestamptz))))`;

/**
 * SQL condition: the address has a suppression of this sender, of the default list or for all mail, in force or not. If
 * false, neither `suppressedFor` nor `SUPPRESSED_SINCE` applies to any contact with the address. One index lookup,
 * whatever the list.
 */
export function namedBySuppression(hash: string, { sender, since }: { sender: string; since?: string }): SqlPart {
  const suppressed = `exists (select 1 from suppressions s where s.address_hash = ${hash} and (s.scope <> 'owner' or s.owner_id = ?::uuid))`;
  const lifted = `exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz) and exists (select 1 from lifted_suppressions s where s.address_hash = ${hash})`;
  return since
    ? { sql: `(${suppressed} or ${lifted})`, params: [sender, since] }
    : { sql: suppressed, params: [sender] };
}

function reaches(sender: string | null): string {
  return `s.address_hash = c.email_hash and (
    (s.scope = 'owner' and s.owner_id = ${sender ?? 'l.owner_id'})
    or (s.scope = 'network' and l.is_default)
    or (s.scope = 'all' and not coalesce(c.consent->>'how' = 'link' and c.confirmed_at > s.created_at, false)))`;
}

/**
 * SQL condition on suppressions that keep an address off a list. Parameters: owner id (null for the default list),
 * owner id again.
 */
export const SUPPRESSION_APPLIES = `${IN_FORCE} and (
  s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null))`;

/**
 * SQL condition: the contact is shown in the list's table, and counted. Unsubscribed and complained contacts are not;
 * bounced contacts are, with a mark.
 */
export const IN_TABLE = `(c.suppressed is null or c.suppressed = 'bounced')`;
/** SQL condition: the contact unsubscribed or complained. Null, not false, if `c.suppressed` is null. */
export const HAS_UNSUBSCRIBED = `c.suppressed in ('unsubscribed', 'complained')`;
